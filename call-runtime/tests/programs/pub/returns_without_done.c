/* fails with "before bsplib_done": main returns on one processor without bsplib_done. */
#define WITH_MAIN
#include "check.h"

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    own_number = bsp_pid(&bsp);
    CHECK(own_number >= 0);
    if (own_number == bsp_nprocs(&bsp) - 1) {
        return 0;
    }
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
