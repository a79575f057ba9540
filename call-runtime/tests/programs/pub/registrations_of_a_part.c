/* ok: registrations belong to a machine and end with it. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int outer = s, inner = 10 + s, value = -5;
    t_bsp part;
    bsp_push_reg(bsp, &outer, sizeof outer);
    bsp_sync(bsp);
    bsp_dup(bsp, &part);
    bsp_push_reg(&part, &inner, sizeof inner);
    bsp_sync(&part);
    bsp_put(&part, (s + 1) % p, &value, &inner, 0, sizeof value);
    bsp_sync(&part);
    bsp_done(&part);
    CHECK(inner == -5);
    bsp_put(bsp, (s + 1) % p, &value, &outer, 0, sizeof value);
    bsp_sync(bsp);
    CHECK(outer == -5);
}
