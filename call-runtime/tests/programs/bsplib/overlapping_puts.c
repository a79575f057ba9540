/* ok: overlapping puts leave what some order of them leaves. */
#include "check.h"

static void behave(int p, int s)
{
    int area[4] = {-1, -1, -1, -1}, mine[4] = {s, s, s, s};
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put(0, mine, area, 0, sizeof mine);
    bsp_sync();
    if (s == 0) {
        CHECK(area[0] >= 0 && area[0] < p);
        CHECK(area[1] == area[0] && area[2] == area[0] && area[3] == area[0]);
    }
}
