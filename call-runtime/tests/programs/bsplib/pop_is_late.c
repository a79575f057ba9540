/* ok: in the superstep of bsp_pop_reg the area can still be used, before and after the call. */
#include "check.h"

static void behave(int p, int s)
{
    int area[2] = {-1, -1}, value = s, copy = -1;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put((s + 1) % p, &value, area, 0, sizeof value);
    bsp_pop_reg(area);
    bsp_put((s + 1) % p, &value, area, sizeof value, sizeof value);
    bsp_get((s + 1) % p, area, 0, &copy, sizeof copy);
    bsp_sync();
    int left = (s + p - 1) % p;
    CHECK(area[0] == left && area[1] == left && copy == -1);
}
