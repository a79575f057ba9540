/* fails with "no input": bsp_abort between bsp_init and bsp_begin. */
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
    if (argc > 0) {
        bsp_abort("no input\n");
    }
    spmd();
    return 0;
}
