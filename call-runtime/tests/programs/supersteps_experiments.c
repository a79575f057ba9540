/* Supersteps in which measurements lie: one after another, inside each other, of the same experiment inside each other, open across
 * synchronisations, parts, reports and the saving of full buffers, abandoned. With an argument: one measurement around supersteps with
 * broadcasts, whose waiting is in no experiment. The counting clock tells the times. */
#include <call.h>
#include <pub.h>
#include <stddef.h>

void cll_clock_advance(unsigned long long nanoseconds);
void cll_clock_set_reading(unsigned long long nanoseconds);

static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment A = {"A", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment B = {"B", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment C = {"C", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&A, &B, &C};
static const cll_unit unit = {"supersteps_experiments", "supersteps_experiments.c", CLL_PUB, 3, experiments, 1};

CLL_REGISTER(unit);

static void measure(const cll_experiment *experiment, unsigned long long nanoseconds)
{
    cll_begin(experiment, NULL);
    cll_clock_advance(nanoseconds);
    cll_end(experiment);
}

static void go_through_a_part(t_bsp *bsp)
{
    t_bsp part;
    int ends[2];
    ends[0] = bsp_nprocs(bsp) / 2;
    ends[1] = bsp_nprocs(bsp);
    bsp_partition(bsp, &part, ends[0] == 0 ? 1 : 2, ends[0] == 0 ? ends + 1 : ends);
    cll_clock_advance(2);
    cll_begin(&B, NULL);
    cll_clock_advance(4);
    bsp_sync(&part);
    cll_clock_advance(8);
    cll_end(&B);
    cll_clock_advance(16);
    bsp_done(&part);
}

static void tell_exact_times(t_bsp *bsp)
{
    measure(&A, 100 * (1 + (unsigned long long)bsp_pid(bsp)));
    cll_clock_advance(7);
    bsp_sync(bsp);

    cll_begin(&A, NULL);
    cll_clock_advance(10);
    measure(&B, 20);
    cll_clock_advance(5);
    measure(&B, 30);
    cll_end(&A);
    bsp_sync(bsp);

    cll_begin(&A, NULL);
    cll_clock_advance(1);
    cll_begin(&A, NULL);
    cll_clock_advance(2);
    cll_end(&A);
    cll_clock_advance(4);
    bsp_sync(bsp);
    cll_clock_advance(8);
    cll_end(&A);
    cll_clock_advance(16);
    bsp_sync(bsp);

    cll_begin(&C, NULL);
    cll_clock_advance(1);
    go_through_a_part(bsp);
    cll_clock_advance(32);
    cll_end(&C);
    cll_clock_advance(64);
    bsp_sync(bsp);

    cll_begin(&C, NULL);
    for (int count = 0; count < 20000; count++) {
        measure(&A, 3);
        cll_clock_advance(1);
    }
    bsp_sync(bsp);
    cll_end(&C);

    cll_begin(&A, NULL);
    cll_begin(&B, NULL);
    cll_clock_advance(10);
    cll_end(&A); /* without the end of B */
    bsp_sync(bsp);

    cll_begin(&B, NULL);
    cll_clock_advance(5);
    cll_report(&unit, bsp, NULL);
    cll_clock_advance(6);
    cll_end(&B);
    cll_clock_advance(9);
    bsp_sync(bsp);
    bsp_sync(bsp);
    cll_report(&unit, bsp, "C");
}

static void wait_for_broadcasts(t_bsp *bsp)
{
    int value = 0;
    cll_clock_set_reading(1);
    cll_begin(&A, NULL);
    bsp_sync(bsp);
    for (int superstep = 0; superstep < 5; superstep++) {
        for (int root = 0; root < bsp_nprocs(bsp); root++) {
            measure(&B, 7);
            bsp_bcast(bsp, root, &value, sizeof value);
        }
        bsp_sync(bsp);
    }
    cll_end(&A);
    cll_report(&unit, bsp, NULL);
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (argc > 1) {
        wait_for_broadcasts(&bsp);
    } else {
        tell_exact_times(&bsp);
    }
    bsplib_done();
    return 0;
}
