/* ok: a block is put onto a part of itself. */
#include "check.h"

static void behave(int p, int s)
{
    int area[4] = {1, 2, 3, 4};
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put((s + 1) % p, area, area, sizeof(int), 3 * (int)sizeof(int));
    bsp_sync();
    CHECK(area[0] == 1 && area[1] == 1 && area[2] == 2 && area[3] == 3);
}
