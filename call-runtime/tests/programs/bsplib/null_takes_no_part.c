/* ok: a processor that registers NULL takes no part, and the others do. */
#include "check.h"

static void behave(int p, int s)
{
    int area = -1, value = 5;
    bsp_push_reg(s == 0 ? &area : NULL, s == 0 ? (int)sizeof area : 0);
    bsp_push_reg(&value, sizeof value);
    bsp_sync();
    if (s == 0) {
        bsp_put(0, &value, &area, 0, sizeof value);
    }
    bsp_sync();
    CHECK(p > 0 && area == (s == 0 ? 5 : -1));
    bsp_pop_reg(s == 0 ? &area : NULL);
    bsp_pop_reg(&value);
    bsp_sync();
}
