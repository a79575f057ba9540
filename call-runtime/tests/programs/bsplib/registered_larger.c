/* ok: an area that is registered again with another size has that size, and the old one after bsp_pop_reg. */
#include "check.h"

static void behave(int p, int s)
{
    int area[4] = {0, 0, 0, 0}, value = 9;
    bsp_push_reg(area, sizeof(int));
    bsp_sync();
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put((s + 1) % p, &value, area, 3 * (int)sizeof(int), sizeof value);
    bsp_pop_reg(area);
    bsp_sync();
    CHECK(area[3] == 9);
    bsp_put((s + 1) % p, &value, area, 0, sizeof value);
    bsp_sync();
    CHECK(area[0] == 9 && area[1] == 0);
}
