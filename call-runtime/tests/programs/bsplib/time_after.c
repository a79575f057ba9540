/* fails with "bsp_time: no BSP machine is in use: the call must stand between bsp_begin and bsp_end": bsp_time after bsp_end. */
#include "check.h"

static void behave(int p, int s)
{
    (void)p, (void)s;
    bsp_end();
    bsp_time();
}
