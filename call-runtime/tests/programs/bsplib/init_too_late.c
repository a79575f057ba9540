/* fails with "bsp_init: it must be the first statement of main, before bsp_begin, or come between sections": bsp_init after bsp_begin. */
#define WITH_MAIN
#include "check.h"

static void spmd(void)
{
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    bsp_init(spmd, argc, argv);
    bsp_end();
    return 0;
}
