/* ok: with bsp_init the processors other than 0 execute the function and exit in it; code after bsp_end is theirs too. */
#define WITH_MAIN
#include "check.h"

static int from_main = 0;

static void spmd(void)
{
    int total = 0, one = 1;
    bsp_begin(from_main);
    CHECK(bsp_pid() != 0 || from_main > 0);
    bsp_push_reg(&total, sizeof total);
    bsp_sync();
    bsp_put(0, &one, &total, 0, sizeof one);
    bsp_sync();
    CHECK(bsp_pid() != 0 || total == 1);
    bsp_end();
    fflush(stdout);
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    from_main = bsp_nprocs();
    spmd();
    puts("ok");
    return 0;
}
