/* fails with "processor 0 in bsplib_done, superstep 2; processor 1 in bsp_oblsync, superstep 2, with 0 of 1 messages" from 2 processors:
 * processors with odd numbers wait, and the others are at the end. */
#include "../pub/check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bsp_sync(bsp);
    if (s % 2 == 1) {
        bsp_oblsync(bsp, 1);
    }
}
