/* fails with "which has not been ended with a bsp_sync": what was put before bsp_end without a synchronisation is lost. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_put(0, &value, &area, 0, sizeof value);
}
