/* CALL_CLOCK=counting, arguments THREADS COUNT REPORTS: while so many threads measure COUNT times each, k ns with their number and k,
 * two others report again and again, and at the end once more: each measurement has its row in exactly one of the traces. */
#include <call.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define LARGEST 64

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"number", CLL_INTEGER}, {"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment outer = {"outer", NULL, 2, variables, 1, 1, blocks};
static const cll_experiment inner = {"inner", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&outer, &inner};
static const cll_unit unit = {"busy", "busy.c", CLL_SEQUENTIAL, 2, experiments};

CLL_REGISTER(unit);

static long count = 1;
static long reports = 1;

static void *measure(void *argument)
{
    struct timespec pause = {0, 20000};
    long number = *(const long *)argument;
    for (long k = 0; k < count; k++) {
        if (k % 256 == 0) {
            nanosleep(&pause, NULL);
        }
        cll_begin(&outer, (const cll_value[]){{.integer = number}, {.integer = -1}});
        cll_begin(&inner, (const cll_value[]){{.integer = number}, {.integer = k}});
        cll_clock_advance((unsigned long long)k);
        cll_end(&inner);
        cll_clock_advance(1000000);
        cll_end_with(&outer, (const cll_value[]){{.integer = k}});
    }
    return NULL;
}

static void *report(void *argument)
{
    struct timespec pause = {0, 1000000};
    (void)argument;
    for (long number = 0; number < reports; number++) {
        cll_report(&unit, NULL, number % 3 == 0 ? "inner" : NULL);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static long numbers[LARGEST];
    pthread_t running[LARGEST + 2];
    long threads = argc > 3 ? atol(argv[1]) : 1;
    count = argc > 3 ? atol(argv[2]) : 1;
    reports = argc > 3 ? atol(argv[3]) : 1;
    for (long thread = 0; thread < threads + 2; thread++) {
        if (thread < threads) {
            numbers[thread] = thread;
        }
        if (pthread_create(&running[thread], NULL, thread < threads ? measure : report, thread < threads ? &numbers[thread] : NULL) != 0) {
            return 1;
        }
    }
    for (long thread = 0; thread < threads + 2; thread++) {
        pthread_join(running[thread], NULL);
    }
    cll_report(&unit, NULL, NULL);
    return 0;
}
