/* fails with "in bsp_oblsync, superstep 1, with 0 of 1 messages" from 2 processors:
 * one processor waits for a message while the others are at the end. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    if (s == p - 1) {
        bsp_oblsync(bsp, 1);
    }
}
