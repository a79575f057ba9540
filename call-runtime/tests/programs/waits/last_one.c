/* fails with "in bsp_oblsync, superstep 1, with 0 of 1 messages" from 2 processors: only the last processor waits for a message, and it
 * is told even where not all are. */
#include "../pub/check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    if (s == p - 1) {
        bsp_oblsync(bsp, 1);
    }
}
