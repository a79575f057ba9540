/* fails with "bsp_get: no BSP machine is in use: the call must stand between bsp_begin and bsp_end": a get after bsp_end. */
#include "check.h"

static void behave(int p, int s)
{
    int value = p;
    bsp_end();
    bsp_get(0, &s, 0, &value, sizeof value);
}
