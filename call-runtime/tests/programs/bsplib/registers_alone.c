/* fails with "have not called bsp_push_reg and bsp_pop_reg alike, in the same order, in superstep 1" from 2 processors:
 * one processor registers, the others do not. */
#include "check.h"

static void behave(int p, int s)
{
    if (s == p - 1) {
        bsp_push_reg(&p, sizeof p);
    }
    bsp_sync();
}
