/* ok: registering and taking back in one superstep happen in the order of the calls. */
#include "check.h"

static void behave(int p, int s)
{
    char area[8] = {0}, sent[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    bsp_push_reg(area, 8);
    bsp_sync();
    bsp_push_reg(area, 4);
    bsp_pop_reg(area);
    bsp_sync();
    bsp_put((s + 1) % p, sent, area, 0, 8);
    bsp_sync();
    CHECK(area[7] == 1);
    bsp_pop_reg(area);
    bsp_push_reg(area, 2);
    bsp_sync();
    bsp_put((s + 1) % p, sent, area, 0, 2);
    bsp_sync();
}
