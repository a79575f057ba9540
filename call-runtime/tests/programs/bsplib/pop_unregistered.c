/* fails with "has not registered the address": bsp_pop_reg of what was not registered. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_pop_reg(s < 0 ? NULL : &p);
    bsp_sync();
}
