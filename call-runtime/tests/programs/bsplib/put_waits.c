/* ok: a put is not seen before the superstep ends, not even on the same processor. */
#include "check.h"

static void behave(int p, int s)
{
    int source = 7, target = 3;
    bsp_push_reg(&target, sizeof target);
    bsp_sync();
    bsp_put(s, &source, &target, 0, sizeof source);
    CHECK(target == 3);
    bsp_sync();
    CHECK(p > 0 && target == 7);
}
