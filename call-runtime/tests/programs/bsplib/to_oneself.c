/* ok: puts to and gets from oneself wait for the end of the superstep as well. */
#include "check.h"

static void behave(int p, int s)
{
    int area = 1, got = -1, value = 2;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_put(s, &value, &area, 0, sizeof value);
    bsp_get(s, &area, 0, &got, sizeof got);
    CHECK(p > 0 && area == 1 && got == -1);
    area = 3;
    bsp_sync();
    CHECK(got == 3 && area == 2);
}
