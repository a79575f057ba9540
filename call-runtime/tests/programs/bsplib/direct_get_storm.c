/* ok: in every superstep each processor gets at once from each, while values change between supersteps. */
#define CLL_BSP_MODERN
#include "check.h"

static void behave(int p, int s)
{
    int value = s, copy;
    bsp_push_reg(&value, sizeof value);
    bsp_sync();
    for (int step = 1; step <= 400 / p; step++) {
        for (int from = 0; from < p; from++) {
            bsp_direct_get((unsigned)((s + from) % p), &value, 0, &copy, sizeof copy);
            CHECK(copy == (s + from) % p + 1000 * (step - 1));
        }
        int next = s + 1000 * step;
        bsp_put((unsigned)s, &next, &value, 0, sizeof next);
        bsp_get((unsigned)((s + step) % p), &value, 0, &copy, sizeof copy);
        bsp_sync();
    }
}
