#include <pub.h>

static void step(t_bsp *bsp)
{
    bsp_sync(bsp);
}

int main(int argc, char **argv)
{
    t_bsp bsp, sub;
    int ends[1] = {1};
#pragma cll parallel PUB_BSP BSP_MACHINE = "&bsp" procs = 1:4
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
#pragma cll sync step CLOCK = step[0]
    step(&bsp);
#pragma cll end step
    ends[0] = bsp_nprocs(&bsp);
    bsp_partition(&bsp, &sub, 1, ends);
#pragma cll sync(&sub) inner inner[0]*log(P)
    step(&sub);
#pragma cll end inner
    bsp_done(&sub);
#pragma cll report all
    bsplib_done();
    return 0;
}
