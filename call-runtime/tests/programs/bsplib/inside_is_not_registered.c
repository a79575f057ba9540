/* fails with "is not registered on processor": the address of an area is its start, not a place inside. */
#include "check.h"

static void behave(int p, int s)
{
    int area[4] = {p, s, 0, 0};
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put(0, &s, area + 1, 0, sizeof s);
    bsp_sync();
}
