/* fails with "is not registered on processor": a get from memory that was not registered. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int area = s, value = p;
    bsp_get(bsp, 0, &area, 0, &value, sizeof value);
    bsp_sync(bsp);
}
