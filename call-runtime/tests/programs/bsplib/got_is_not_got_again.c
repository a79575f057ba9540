/* ok: what a get brings is not what another processor gets in the same superstep. */
#include "check.h"

static void behave(int p, int s)
{
    int value = s, unused = 0;
    bsp_push_reg(&value, sizeof value);
    bsp_sync();
    bsp_get((s + 1) % p, &value, 0, &value, sizeof value);
    bsp_sync();
    CHECK(value == (s + 1) % p && unused == 0);
}
