/* ok: with bsp_init on one computer all processors may exit behind bsp_end, or behind the last section. */
#define WITH_MAIN
#include "check.h"

static int section = 0;

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int s = bsp_pid();
    bsp_sync();
    bsp_end();
    if (section == 2 && s == 0) {
        puts("ok");
    }
    if (section == 2 || s > 0) {
        exit(0);
    }
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    for (section = 1; section <= 2; section++) {
        spmd();
    }
    return 1;
}
