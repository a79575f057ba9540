/* ok: bsp_put takes the source as it is at the call. */
#include "check.h"

static void behave(int p, int s)
{
    int source = s, target = -1;
    bsp_push_reg(&target, sizeof target);
    bsp_sync();
    bsp_put((s + 1) % p, &source, &target, 0, sizeof source);
    source = 99;
    bsp_sync();
    CHECK(target == (s + p - 1) % p);
    bsp_pop_reg(&target);
}
