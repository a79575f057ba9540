/* ok: bsplib_saveargs leaves the command line, and code behind bsplib_done runs on each processor. */
#define WITH_MAIN
#include "check.h"

int main(int argc, char **argv)
{
    t_bsp bsp;
    char **before = argv;
    bsplib_saveargs(&argc, &argv);
    CHECK(argc == 1 && argv == before && argv[0] != NULL && argv[1] == NULL);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    own_number = bsp_pid(&bsp);
    CHECK(argc == 1 && argv[1] == NULL);
    bsplib_done();
    if (own_number == 0) {
        puts("ok");
    }
    return own_number < 0;
}
