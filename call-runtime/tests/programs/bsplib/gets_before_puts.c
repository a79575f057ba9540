/* ok: what is got is what was there before any put of the superstep. */
#include "check.h"

static void behave(int p, int s)
{
    int value = s, mine = 100 + s, copy = -1;
    bsp_push_reg(&value, sizeof value);
    bsp_sync();
    bsp_put((s + 1) % p, &mine, &value, 0, sizeof mine);
    bsp_get((s + 1) % p, &value, 0, &copy, sizeof copy);
    bsp_sync();
    CHECK(copy == (s + 1) % p);
    CHECK(value == 100 + (s + p - 1) % p);
}
