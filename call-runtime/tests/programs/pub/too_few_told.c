/* fails with "bsp_oblsync: processor 0 has 2 messages in superstep 1, but was told to wait for 1":
 * bsp_oblsync is told too few of messages that have come. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    if (s == 0) {
        bsp_send(bsp, 0, &p, sizeof p);
        bsp_send(bsp, 0, &p, sizeof p);
        bsp_oblsync(bsp, 1);
    }
    bsp_oblsync(bsp, 0);
}
