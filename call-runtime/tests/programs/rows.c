/* Any number of processors, CALL_CLOCK=counting, argument COUNT: each processor measures COUNT times on the whole machine and COUNT
 * times on a part; the trace has all rows, processor after processor, with the P of the machine in use and planted times. */
#include <call.h>
#include <pub.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"pid", CLL_INTEGER}, {"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment before = {"before", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment whole = {"whole", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment part = {"part", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&before, &whole, &part};
static const cll_unit unit = {"rows", "rows.c", CLL_PUB, 3, experiments};

static void measure(const cll_experiment *experiment, t_bsp *bsp, int pid, long count)
{
    for (long k = 0; k < count; k++) {
        if (k % 1000 == 0) {
            cll_sync(&unit, bsp);
        }
        cll_begin(experiment, (const cll_value[]){{.integer = pid}, {.integer = k}});
        cll_clock_advance((unsigned long long)(1000 * k + pid));
        cll_end(experiment);
    }
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1;
    t_bsp bsp, half;
    int pid, processors, ends[2];
    bsplib_saveargs(&argc, &argv);
    cll_begin(&before, NULL);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    cll_end(&before);
    pid = bsp_pid(&bsp);
    processors = bsp_nprocs(&bsp);
    measure(&whole, &bsp, pid, count);
    if (processors > 1) {
        ends[0] = (processors + 2) / 3;
        ends[1] = processors;
        bsp_partition(&bsp, &half, 2, ends);
        measure(&part, &half, pid, count);
        cll_report(&unit, &half, "part"); /* one trace for each part */
        measure(&part, &half, pid, 1);
        bsp_done(&half);
    }
    cll_report(&unit, &bsp, 0);
    bsplib_done();
    return 0;
}
