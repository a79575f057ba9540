/* fails with "have not called bsp_push_reg and bsp_pop_reg alike" from 2 processors:
 * one processor registers memory, the others do not. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    if (s == 0) {
        bsp_push_reg(bsp, &s, sizeof s);
    }
    bsp_sync(bsp);
}
