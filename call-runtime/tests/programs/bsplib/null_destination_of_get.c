/* fails with "bsp_get: the address of the data on processor": a get to nowhere. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_get(p - 1, &area, 0, NULL, sizeof area);
    bsp_sync();
}
