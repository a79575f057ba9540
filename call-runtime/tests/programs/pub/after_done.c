/* fails with "bsp_sync: no BSP machine is in use: the call must stand between": a call after bsplib_done. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p, (void)s;
    bsplib_done();
    bsp_sync(bsp);
}
