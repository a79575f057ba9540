/* fails with "all processors wait and no message is on its way; processor 0 in bsp_oblsync, superstep 1, with 0 of 1 messages; processor 1 in bsp_oblsync, superstep 1, with 0 of 1 messages" from 2 processors:
 * each waits for a message, and nobody has sent one. */
#include "../pub/check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p, (void)s;
    bsp_oblsync(bsp, 1);
}
