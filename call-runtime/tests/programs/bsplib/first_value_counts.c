/* ok: bsp_begin takes the number that processor 0 gives, whatever the others give. */
#define WITH_MAIN
#include "check.h"

static int wanted = 0;

static void spmd(void)
{
    bsp_begin(wanted); /* 0, but on processor 0 */
    CHECK(bsp_nprocs() == 1 || bsp_nprocs() == 2);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    wanted = 2;
    spmd();
    puts("ok");
    return 0;
}
