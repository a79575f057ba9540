/* fails with "have returned from the function given to bsp_init, and the others begin again in it" from 3 processors: after a section
 * some processors begin again. */
#define WITH_MAIN
#include "check.h"

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int is_last = bsp_pid() == bsp_nprocs() - 1;
    bsp_end();
    if (!is_last) {
        bsp_begin(bsp_nprocs());
        bsp_end();
    }
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    spmd();
    return 0;
}
