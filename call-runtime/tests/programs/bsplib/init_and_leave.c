/* ok: with bsp_init a program may end before it begins. */
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
    if (argc > 1) {
        spmd();
    }
    puts("ok");
    return 0;
}
