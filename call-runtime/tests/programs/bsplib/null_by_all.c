/* ok: what all registered as NULL is taken back and its number is used again, however often. */
#include "check.h"

static void behave(int p, int s)
{
    int area = -1, other = -1, value = s;
    bsp_push_reg(s % 2 == 0 ? &other : NULL, sizeof other);
    for (int round = 0; round < 2000 / p; round++) {
        bsp_push_reg(NULL, 0);
        bsp_push_reg(&area, sizeof area);
        bsp_sync();
        bsp_put((s + 1) % p, &value, &area, 0, sizeof value);
        bsp_pop_reg(NULL);
        bsp_pop_reg(&area);
        bsp_sync();
        CHECK(area == (s + p - 1) % p);
    }
    bsp_push_reg(NULL, 0);
    bsp_pop_reg(NULL);
    bsp_sync();
    if (s == 0) {
        bsp_put(0, &value, &other, 0, sizeof value);
    }
    bsp_sync();
    CHECK(other == (s == 0 ? 0 : -1));
}
