/* fails with "have not called bsp_push_reg and bsp_pop_reg alike, in the same order, in superstep 2" from 2 processors:
 * processors take back areas in different orders. */
#include "check.h"

static void behave(int p, int s)
{
    int a = 0, b = 0;
    bsp_push_reg(&a, sizeof a);
    bsp_push_reg(&b, sizeof b);
    bsp_sync();
    bsp_pop_reg(s == p - 1 ? &a : &b);
    bsp_pop_reg(s == p - 1 ? &b : &a);
    bsp_sync();
}
