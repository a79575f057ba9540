/* fails with "bsp_init: it must be the first statement of main, before bsp_begin, or come between sections": a second bsp_init. */
#define WITH_MAIN
#include "check.h"

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    bsp_init(spmd, argc, argv);
    spmd();
    return 0;
}
