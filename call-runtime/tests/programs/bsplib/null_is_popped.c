/* ok: processors that registered NULL take back NULL, while others mean one of several areas. */
#include "check.h"

static void behave(int p, int s)
{
    int first = -1, second = -1, third = -1, value = s;
    bsp_push_reg(s == 0 ? &first : NULL, sizeof first);
    bsp_push_reg(s == 0 ? &second : NULL, sizeof second);
    bsp_push_reg(&third, sizeof third);
    bsp_sync();
    bsp_pop_reg(s == 0 ? &first : NULL);
    bsp_sync();
    if (s == 0) {
        bsp_put(0, &value, &second, 0, sizeof value);
    }
    bsp_put((s + 1) % p, &value, &third, 0, sizeof value);
    bsp_sync();
    CHECK(s != 0 || (second == 0 && first == -1));
    CHECK(third == (s + p - 1) % p);
    bsp_pop_reg(s == 0 ? &second : NULL);
    bsp_pop_reg(&third);
    bsp_sync();
}
