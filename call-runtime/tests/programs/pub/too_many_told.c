/* fails with "bsp_oblsync: processor 0 waits for 3 messages in superstep 1 and has 0, but nobody sends any more" from 2 processors:
 * bsp_oblsync is told too many. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bsp_oblsync(bsp, s == 0 ? 3 : 0);
}
