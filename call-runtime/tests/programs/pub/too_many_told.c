/* fails with "processor 0 in bsp_oblsync, superstep 1, with 0 of 3 messages" from 2 processors:
 * bsp_oblsync is told too many. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bsp_oblsync(bsp, s == 0 ? 3 : 0);
}
