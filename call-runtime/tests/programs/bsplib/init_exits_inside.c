/* fails with " before bsp_end": with bsp_init a processor exits between bsp_begin and bsp_end of the second section. */
#define WITH_MAIN
#include "check.h"

static int section = 0;

static void spmd(void)
{
    static int begun = 0;
    bsp_begin(bsp_nprocs());
    begun = section + begun;
    if (begun > 1 && bsp_pid() == bsp_nprocs() - 1) {
        exit(0);
    }
    bsp_sync();
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    for (section = 1; section <= 2; section++) {
        spmd();
    }
    return 0;
}
