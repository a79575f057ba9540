/* ok: what is put and got is there after bsp_sync; what is got is from before any put. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int area[2] = {s, -1}, mine = 100 + s, got = -1, right = (s + 1) % p;
    bsp_push_reg(bsp, area, sizeof area);
    bsp_sync(bsp);
    bsp_put(bsp, right, &mine, area, 0, sizeof mine);
    bsp_get(bsp, right, area, 0, &got, sizeof got);
    mine = -2;
    CHECK(area[0] == s && got == -1);
    bsp_sync(bsp);
    CHECK(area[0] == 100 + (s + p - 1) % p && area[1] == -1 && got == right);
    bsp_pop_reg(bsp, area);
    bsp_sync(bsp);
}
