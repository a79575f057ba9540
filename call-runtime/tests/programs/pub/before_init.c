/* fails with "bsp_nprocs: the t_bsp object stands for no machine: it was closed, or never made by bsplib_init":
 * a call before bsplib_init. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    t_bsp bsp = {NULL};
    CHECK(bsp_nprocs(&bsp) > 0);
    return 0;
}
