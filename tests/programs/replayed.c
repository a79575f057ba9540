/* Supersteps of three processors with planted times: a ring with a barrier, then unequal parts and an oblivious ring. */
#include <pub.h>

void cll_clock_advance(unsigned long long nanoseconds);

#pragma cll parallel PUB &bsp procs = 3 supersteps

static void compute(int nanoseconds)
{
    cll_clock_advance((unsigned long long)nanoseconds);
}

static void pass_on(t_bsp *bsp, int size)
{
    static const char bytes[16];
    bsp_send(bsp, (bsp_pid(bsp) + 1) % bsp_nprocs(bsp), bytes, size);
}

static void go_through_parts(t_bsp *bsp)
{
    t_bsp part;
    const int ends[] = {1, 3};
    compute(100);
    bsp_partition(bsp, &part, 2, ends);
    compute(700 * (bsp_pid(&part) + 1));
    bsp_sync(&part);
    compute(50);
    bsp_done(&part);
    compute(10 * (bsp_pid(bsp) + 1));
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
#pragma cll E E[0]
    compute(1000 * (bsp_pid(&bsp) + 1));
#pragma cll end E
    compute(500);
    pass_on(&bsp, 8);
    bsp_sync(&bsp);
    go_through_parts(&bsp);
    pass_on(&bsp, 16);
    bsp_oblsync(&bsp, 1);
#pragma cll report all
    bsplib_done();
    return 0;
}
