/* fails with "has gets from processor": gets before bsp_end without a synchronisation are lost. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_get((s + 1) % p, &area, 0, &value, sizeof value);
}
