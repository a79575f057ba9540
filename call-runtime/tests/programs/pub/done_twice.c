/* fails with "bsplib_done: no BSP machine is in use": a second bsplib_done. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)bsp, (void)p, (void)s;
    bsplib_done();
}
