/* fails with "bsplib_done: a message of superstep 1 of a machine that has been closed was never received" from 2 processors:
 * a part is closed before all its messages have come. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    bsp_partition(bsp, &part, 1, &p);
    if (s == 1) {
        bsp_send(&part, 0, &s, sizeof s);
    }
    bsp_oblsync(&part, 0);
    bsp_done(&part);
}
