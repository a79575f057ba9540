/* ok: areas may overlap, and each has its own bounds. */
#include "check.h"

static void behave(int p, int s)
{
    int area[4] = {0, 0, 0, 0}, one = 1, two = 2;
    bsp_push_reg(area, sizeof area);
    bsp_push_reg(area + 2, 2 * (int)sizeof(int));
    bsp_sync();
    bsp_put((s + 1) % p, &one, area, 2 * (int)sizeof(int), sizeof one);
    bsp_put((s + 1) % p, &two, area + 2, sizeof(int), sizeof two);
    bsp_sync();
    CHECK(area[0] == 0 && area[1] == 0 && area[2] == 1 && area[3] == 2);
}
