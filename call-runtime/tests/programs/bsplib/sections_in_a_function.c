/* ok: sections one after another in the function given to bsp_init are those of the same processors. */
#define WITH_MAIN
#include "check.h"

static void spmd(void)
{
    int own = 0;
    for (int section = 1; section <= 3; section++) {
        int copy = -1;
        bsp_begin(bsp_nprocs());
        CHECK(own == (section - 1) * (bsp_pid() + 1));
        own += bsp_pid() + 1;
        bsp_push_reg(&own, sizeof own);
        bsp_sync();
        bsp_get(bsp_nprocs() - 1, &own, 0, &copy, sizeof copy);
        bsp_sync();
        CHECK(copy == section * bsp_nprocs());
        bsp_end();
    }
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    spmd();
    puts("ok");
    return 0;
}
