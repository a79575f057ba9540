/* CALL_CLOCK=counting, arguments WAVES THREADS COUNT: in each of the waves so many threads measure COUNT times, k ns with the thread's
 * number and k, and leave one measurement open when they end. The trace has all their rows and counts the open ones. Says how many
 * MiB of memory there were at most. */
#include <call.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define LARGEST 64

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"number", CLL_INTEGER}, {"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment f = {"f", NULL, 2, variables, 1, 1, blocks};
static const cll_experiment open = {"open", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment all = {"all", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&f, &open, &all};
static const cll_unit unit = {"threads", "threads.c", CLL_SEQUENTIAL, 3, experiments};

CLL_REGISTER(unit);

static long count = 1;

static void *measure(void *argument)
{
    long number = *(const long *)argument;
    for (long k = 0; k < count; k++) {
        cll_begin(&f, (const cll_value[]){{.integer = number}, {.integer = -1}});
        cll_clock_advance((unsigned long long)k);
        cll_end_with(&f, (const cll_value[]){{.integer = k}});
    }
    cll_begin(&open, NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    long waves = argc > 3 ? atol(argv[1]) : 1, threads = argc > 3 ? atol(argv[2]) : 1;
    static long numbers[LARGEST];
    pthread_t running[LARGEST];
    struct rusage usage;
    count = argc > 3 ? atol(argv[3]) : 1;
    cll_begin(&all, NULL);
    for (long wave = 0; wave < waves; wave++) {
        for (long thread = 0; thread < threads; thread++) {
            numbers[thread] = wave * threads + thread;
            if (pthread_create(&running[thread], NULL, measure, &numbers[thread]) != 0) {
                return 1;
            }
        }
        for (long thread = 0; thread < threads; thread++) {
            pthread_join(running[thread], NULL);
        }
    }
    cll_end(&all);
    cll_report(&unit, NULL, NULL);
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss / 1024);
    return 0;
}
