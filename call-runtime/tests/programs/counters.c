/* Counters, by the first argument:
 *   pages K      `pages` writes to K new pages, then two blocks of K and of no pages lie in `around`, K in all
 *   buffers K    K new pages in `around`, with so many blocks inside that several buffers are filled
 *   threads N    each of N threads writes to 100 new pages for each of its measurements, as many as its number says
 *   fork         a child goes on with an open measurement: 300 new pages before the fork, 400 that it counts
 *   names        an experiment with counters that nobody has, and a variable that is taken at the end
 *   papi N       CALL_CLOCK=counting, fake_papi.c: blocks in blocks, in N threads one after another; each reading takes 1000 ns
 *   busy         a block that takes a millisecond of the processor, writes to 300 new pages and sleeps
 *   late         fake_papi.c: an experiment of a file that did not register before adds a counter while another one is measured
 */
#include <call.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE_BYTES 4096 /* of any machine at most */

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable pages_variables[] = {{"K", CLL_INTEGER}};
static const cll_variable names_variables[] = {{"N", CLL_INTEGER}, {"x", CLL_REAL}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const char *const pages_counters[] = {"page-faults", "perf::PERF_COUNT_SW_PAGE_FAULTS_MIN"};
static const char *const around_counters[] = {"page-faults"};
static const char *const names_counters[] = {"PAPI_NONE_SUCH", "page-faults", "none::SUCH:u=1"};
static const char *const papi_counters[] = {"PAPI_FAKE_2", "PAPI_FAKE_CONFLICT", "PAPI_FAKE_1", "PAPI_FAKE_ABSENT"};
static const char *const inner_counters[] = {"PAPI_FAKE_1"};
static const char *const busy_counters[] = {"page-faults", "task-clock", "context-switches", "cpu-clock"};
static const cll_experiment pages = {"pages", "pages[0]*K", 1, pages_variables, 0, 1, blocks, 2, pages_counters, NULL};
static const cll_experiment around = {"around", NULL, 0, NULL, 0, 1, blocks, 1, around_counters, NULL};
static const cll_experiment plain = {"plain", NULL, 0, NULL, 0, 1, blocks, 0, NULL, NULL};
static const cll_experiment names = {"names", "names[0]*N*x", 2, names_variables, 1, 1, blocks, 3, names_counters, "page-faults"};
static const cll_experiment papi = {"papi", NULL, 1, pages_variables, 0, 1, blocks, 4, papi_counters, NULL};
static const cll_experiment inner = {"inner", NULL, 0, NULL, 0, 1, blocks, 1, inner_counters, NULL};
static const cll_experiment busy = {"busy", NULL, 0, NULL, 0, 1, blocks, 4, busy_counters, NULL};
static const cll_experiment *const experiments[] = {&pages, &around, &plain, &names, &papi, &inner, &busy};
static const cll_unit unit = {"counters", "counters.c", CLL_SEQUENTIAL, 7, experiments};

static const char *const late_counters[] = {"PAPI_FAKE_5"};
static const cll_experiment late = {"late", NULL, 0, NULL, 0, 1, blocks, 1, late_counters, NULL};
static const cll_experiment *const late_experiments[] = {&late};
static const cll_unit late_unit = {"late", "late.c", CLL_SEQUENTIAL, 1, late_experiments};

CLL_REGISTER(unit);

static unsigned char *map_pages(long count)
{
    void *mapped = mmap(NULL, (size_t)(count + 1) * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        exit(3);
    }
    madvise(mapped, (size_t)(count + 1) * PAGE_BYTES, MADV_NOHUGEPAGE);
    return mapped;
}

/* The sanitizers have pages of their own for each that they see. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void touch(volatile unsigned char *bytes, long count)
{
    for (long page = 0; page < count; page++) {
        bytes[page * PAGE_BYTES] = 1;
    }
}

static void measure_pages(unsigned char *bytes, long count)
{
    cll_begin(&pages, (const cll_value[]){{.integer = count}});
    touch(bytes, count);
    cll_end(&pages);
}

static void nest_pages(long count)
{
    unsigned char *first = map_pages(count);
    unsigned char *second = map_pages(count);
    measure_pages(first, count);
    cll_begin(&around, NULL);
    measure_pages(second, count);
    cll_begin(&plain, NULL);
    cll_end(&plain);
    measure_pages(second, 0);
    cll_end(&around);
}

static void fill_buffers(long count)
{
    unsigned char *bytes = map_pages(count);
    cll_begin(&around, NULL);
    touch(bytes, count);
    for (long inside = 0; inside < 60000; inside++) {
        cll_begin(&plain, NULL);
        cll_end(&plain);
    }
    cll_end(&around);
}

static void *measure_thread(void *argument)
{
    long number = *(const long *)argument;
    for (long measurement = 0; measurement < number; measurement++) {
        measure_pages(map_pages(100 * number), 100 * number);
    }
    return NULL;
}

static void run_threads(long count)
{
    long numbers[16];
    pthread_t threads[16];
    for (long thread = 0; thread < count; thread++) {
        numbers[thread] = thread + 1;
        pthread_create(&threads[thread], NULL, measure_thread, &numbers[thread]);
    }
    for (long thread = 0; thread < count; thread++) {
        pthread_join(threads[thread], NULL);
    }
}

static int run_fork(void)
{
    unsigned char *bytes = map_pages(1000);
    cll_begin(&around, NULL);
    touch(bytes, 300);
    pid_t child = fork();
    if (child != 0) {
        int status = 1;
        touch(bytes, 1000);
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    }
    touch(bytes + 300 * PAGE_BYTES, 200); /* before anything is counted in the child: not seen */
    measure_pages(bytes, 0);
    touch(bytes + 300 * PAGE_BYTES, 600);
    cll_end(&around);
    cll_report(&unit, NULL, NULL);
    return 0;
}

static void measure_names(void)
{
    cll_begin(&names, (const cll_value[]){{.integer = 7}, {0}});
    cll_end_with(&names, (const cll_value[]){{.real = 0.25}});
    cll_report(&unit, NULL, "names");
    cll_begin(&names, (const cll_value[]){{.integer = 8}, {0}});
    cll_end_with(&names, (const cll_value[]){{.real = 0.5}});
    cll_report(&unit, NULL, "names");
}

static void *measure_papi(void *argument)
{
    cll_begin(&papi, (const cll_value[]){{.integer = *(const long *)argument}});
    cll_clock_advance(5);
    cll_begin(&inner, NULL);
    cll_clock_advance(1);
    cll_end(&inner);
    cll_end(&papi);
    return NULL;
}

static void run_papi(long count)
{
    void *library = dlopen("libpapi.so", RTLD_NOW);
    if (library != NULL) {
        void (**advance)(unsigned long long) = (void (**)(unsigned long long))dlsym(library, "fake_papi_advance");
        *advance = cll_clock_advance;
    }
    for (long number = 1; number <= count; number++) {
        pthread_t thread;
        pthread_create(&thread, NULL, measure_papi, &number);
        pthread_join(thread, NULL);
    }
}

static void run_busy(void)
{
    unsigned char *bytes = map_pages(300);
    struct timespec start, now, rest = {0, 1000000};
    cll_begin(&busy, NULL);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < 1000000);
    touch(bytes, 300);
    nanosleep(&rest, NULL);
    cll_end(&busy);
    cll_report(&unit, NULL, "busy");
}

static void run_late(void)
{
    cll_begin(&inner, NULL);
    cll_begin(&late, NULL);
    cll_end(&late);
    cll_end(&inner);
    cll_report(&late_unit, NULL, "inner late");
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "";
    long count = argc > 2 ? atol(argv[2]) : 0;
    if (strcmp(wanted, "fork") == 0) {
        return run_fork();
    }
    if (strcmp(wanted, "names") == 0) {
        measure_names();
        return 0;
    }
    if (strcmp(wanted, "busy") == 0) {
        run_busy();
        return 0;
    }
    if (strcmp(wanted, "late") == 0) {
        run_late();
        return 0;
    }
    if (strcmp(wanted, "pages") == 0) {
        nest_pages(count);
    } else if (strcmp(wanted, "buffers") == 0) {
        fill_buffers(count);
    } else if (strcmp(wanted, "threads") == 0) {
        run_threads(count);
    } else if (strcmp(wanted, "papi") == 0) {
        run_papi(count);
    }
    cll_report(&unit, NULL, strcmp(wanted, "papi") == 0 ? "papi inner" : "pages around plain");
    return 0;
}
