/* fails with "has no message -1: the last superstep brought 0, counted from 0": bsp_getmsg of a negative number. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p, (void)s;
    bsp_getmsg(bsp, -1);
}
