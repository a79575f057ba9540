/* ok: where a get and a put write to one place, the put is last. */
#include "check.h"

static void behave(int p, int s)
{
    int value = s, mine = 100 + s, source = 7;
    bsp_push_reg(&value, sizeof value);
    bsp_push_reg(&source, sizeof source);
    bsp_sync();
    bsp_put((s + 1) % p, &mine, &value, 0, sizeof mine);
    bsp_get((s + 1) % p, &source, 0, &value, sizeof value);
    bsp_sync();
    CHECK(value == 100 + (s + p - 1) % p);
}
