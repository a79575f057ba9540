/* fails with "has no message 1: the last superstep brought 1, counted from 0": bsp_getmsg beyond the last message. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_sync(bsp);
    bsp_getmsg(bsp, 1);
}
