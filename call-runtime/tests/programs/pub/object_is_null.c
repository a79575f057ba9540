/* fails with "bsp_sync: the t_bsp object stands for no machine: it was closed, or never made by bsplib_init":
 * a call without an object. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)bsp, (void)p, (void)s;
    bsp_sync(NULL);
}
