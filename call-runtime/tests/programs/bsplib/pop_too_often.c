/* fails with "has not registered the address": bsp_pop_reg more often than bsp_push_reg. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_pop_reg(&area);
    bsp_pop_reg(value > 0 ? &area : &value);
    bsp_sync();
}
