/* fails with "is not registered on processor": a get from an address that was taken back. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_pop_reg(&area);
    bsp_sync();
    bsp_get(0, &area, 0, &value, sizeof value);
    bsp_sync();
}
