/* ok: areas may be taken back in another order than they were registered, the same on all processors. */
#include "check.h"

static void behave(int p, int s)
{
    int first = 0, second = 0, value = 5;
    bsp_push_reg(&first, sizeof first);
    bsp_push_reg(&second, sizeof second);
    bsp_sync();
    bsp_pop_reg(&first);
    bsp_sync();
    bsp_put((s + 1) % p, &value, &second, 0, sizeof value);
    bsp_sync();
    CHECK(first == 0 && second == 5);
    bsp_pop_reg(&second);
    bsp_sync();
}
