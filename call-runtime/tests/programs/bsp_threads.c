/* Any number of processors, CALL_CLOCK=counting: threads measure before the processors start, which processor 0 reports, and then on
 * each processor: with the processor's number and the P of the machine. */
#include <call.h>
#include <pthread.h>
#include <pub.h>
#include <stdlib.h>

#define THREADS 3
#define COUNT 50

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"thread", CLL_INTEGER}, {"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment before = {"before", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment after = {"after", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&before, &after};
static const cll_unit unit = {"bsp_threads", "bsp_threads.c", CLL_PUB, 2, experiments};

CLL_REGISTER(unit);

typedef struct {
    const cll_experiment *experiment;
    long number;
} task;

static void *measure(void *argument)
{
    const task *its = argument;
    for (long k = 0; k < COUNT; k++) {
        cll_begin(its->experiment, (const cll_value[]){{.integer = its->number}, {.integer = k}});
        cll_clock_advance((unsigned long long)(100 * its->number + k));
        cll_end(its->experiment);
    }
    return NULL;
}

/* The calling thread measures as well. */
static void measure_with_all(const cll_experiment *experiment)
{
    pthread_t running[THREADS];
    task tasks[THREADS];
    for (long number = 0; number < THREADS; number++) {
        tasks[number].experiment = experiment;
        tasks[number].number = number;
        if (number > 0 && pthread_create(&running[number], NULL, measure, &tasks[number]) != 0) {
            exit(1);
        }
    }
    measure(&tasks[0]);
    for (long number = 1; number < THREADS; number++) {
        pthread_join(running[number], NULL);
    }
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    measure_with_all(&before);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    cll_sync(&unit, &bsp);
    measure_with_all(&after);
    cll_report(&unit, &bsp, NULL);
    bsplib_done();
    return 0;
}
