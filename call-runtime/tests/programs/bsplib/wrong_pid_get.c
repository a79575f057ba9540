/* fails with "bsp_get: processor -1 does not exist in a machine of": a get from a processor that does not exist. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_get(-1, &area, 0, &value, sizeof value);
    bsp_sync();
}
