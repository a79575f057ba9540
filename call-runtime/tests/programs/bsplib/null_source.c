/* fails with "bsp_put: the address of the data on processor": a put from nowhere. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_put(0, value > 0 ? NULL : &value, &area, 0, 4);
    bsp_sync();
}
