/* fails with "ends superstep 1 with bsp_oblsync, but processor 0 ends it with bsp_sync" from 2 processors:
 * one processor ends the superstep with bsp_sync, others with bsp_oblsync. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    if (s == 0) {
        bsp_sync(bsp);
    } else {
        bsp_oblsync(bsp, 1);
    }
}
