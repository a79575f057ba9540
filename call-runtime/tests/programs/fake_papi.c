/* A libpapi of version 7.1 that counts how often its sets have been read: PAPI_FAKE_1 once for each, PAPI_FAKE_2 twice, PAPI_FAKE_5
 * five times. It behaves like PAPI where that matters: it must hear its version, in each process anew; sets belong to threads, which
 * have to be registered; what is wrong has a number. Says at the end what became of the sets. FAKE_PAPI=start: events can be added,
 * but not counted. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETS = 64, FINE = 0, INVALID = -1, NO_EVENT = -7, CONFLICT = -8, RUNS = -10 };

typedef struct {
    pthread_t thread;
    int is_made;
    int is_running;
    int count;
    int codes[8];
    long long reads;
} fake_set;

void (*fake_papi_advance)(unsigned long long nanoseconds) = NULL;

static fake_set sets[SETS];
static int made_sets = 0, destroyed_sets = 0, left_threads = 0;
static pid_t process = 0;
static unsigned long (*number_of_thread)(void) = NULL;
static __thread pid_t registered_in = 0;

static int is_ready(void)
{
    return process == getpid() && number_of_thread != NULL && registered_in == process;
}

static fake_set *find_set(int number)
{
    int is_right = is_ready() && number >= 0 && number < made_sets && sets[number].is_made;
    return is_right && pthread_equal(sets[number].thread, pthread_self()) ? &sets[number] : NULL;
}

int PAPI_library_init(int version)
{
    if (version != (7 << 24 | 1 << 16)) {
        return INVALID;
    }
    if (process != getpid()) {
        process = getpid();
        number_of_thread = NULL;
        made_sets = destroyed_sets = left_threads = 0;
        memset(sets, 0, sizeof sets);
    }
    return version;
}

int PAPI_thread_init(unsigned long (*number)(void))
{
    number_of_thread = number;
    return process == getpid() ? FINE : INVALID;
}

int PAPI_event_name_to_code(const char *name, int *code)
{
    if (!is_ready()) {
        abort(); /* PAPI writes through a null pointer */
    }
    static const char *const known[] = {"PAPI_FAKE_1", "PAPI_FAKE_2", "PAPI_FAKE_CONFLICT", "PAPI_FAKE_ABSENT", "PAPI_FAKE_5"};
    for (int number = 0; number < 5; number++) {
        if (strcmp(name, known[number]) == 0) {
            *code = number + 1;
            return FINE;
        }
    }
    return NO_EVENT;
}

int PAPI_query_event(int code)
{
    return code == 4 ? NO_EVENT : FINE;
}

int PAPI_create_eventset(int *set)
{
    if (!is_ready() || *set != -1 || made_sets == SETS) {
        return INVALID;
    }
    *set = made_sets++;
    sets[*set].is_made = 1;
    sets[*set].thread = pthread_self();
    return FINE;
}

int PAPI_add_event(int set, int code)
{
    fake_set *its = find_set(set);
    if (its == NULL || code < 1) {
        return INVALID;
    }
    if (its->is_running) {
        return RUNS;
    }
    if (code == 3) {
        return CONFLICT;
    }
    its->codes[its->count++] = code;
    return FINE;
}

int PAPI_start(int set)
{
    fake_set *its = find_set(set);
    const char *wanted = getenv("FAKE_PAPI");
    if (its == NULL || its->is_running || its->count == 0) {
        return INVALID;
    }
    if (wanted != NULL && strcmp(wanted, "start") == 0) {
        return CONFLICT;
    }
    its->is_running = 1;
    its->reads = 0;
    return FINE;
}

int PAPI_read(int set, long long *values)
{
    fake_set *its = find_set(set);
    if (its == NULL || !its->is_running) {
        return INVALID;
    }
    its->reads++;
    for (int event = 0; event < its->count; event++) {
        values[event] = its->reads * its->codes[event];
    }
    if (fake_papi_advance != NULL) {
        fake_papi_advance(1000);
    }
    return FINE;
}

int PAPI_stop(int set, long long *values)
{
    fake_set *its = find_set(set);
    if (its == NULL || !its->is_running) {
        return INVALID;
    }
    memset(values, 0, (size_t)its->count * sizeof *values);
    its->is_running = 0;
    return FINE;
}

int PAPI_cleanup_eventset(int set)
{
    fake_set *its = find_set(set);
    if (its == NULL || its->is_running) {
        return INVALID;
    }
    its->count = 0;
    return FINE;
}

int PAPI_destroy_eventset(int *set)
{
    fake_set *its = find_set(*set);
    if (its == NULL || its->count > 0) {
        return INVALID;
    }
    its->is_made = 0;
    destroyed_sets++;
    *set = -1;
    return FINE;
}

int PAPI_register_thread(void)
{
    registered_in = process;
    return number_of_thread == NULL ? INVALID : FINE;
}

int PAPI_unregister_thread(void)
{
    left_threads++;
    registered_in = 0;
    return FINE;
}

char *PAPI_strerror(int error)
{
    static char conflict[] = "cannot be counted (too; many)", no_event[] = "no event", invalid[] = "invalid";
    return error == CONFLICT ? conflict : error == NO_EVENT ? no_event : invalid;
}

__attribute__((destructor)) static void tell(void)
{
    if (process == getpid()) {
        printf("%d sets, %d destroyed, %d threads left\n", made_sets, destroyed_sets, left_threads);
    }
}
