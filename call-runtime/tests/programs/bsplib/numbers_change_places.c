/* ok: gets and puts exchange numbers in one superstep. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, got = -1, right = (s + 1) % p, left = (s + p - 1) % p, mine = 100 + s;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_put(right, &mine, &area, 0, sizeof mine);
    bsp_get(right, &area, 0, &got, sizeof got);
    bsp_sync();
    CHECK(got == right && area == 100 + left);
    bsp_get(left, &area, 0, &got, sizeof got);
    bsp_sync();
    CHECK(got == 100 + (left + p - 1) % p);
}
