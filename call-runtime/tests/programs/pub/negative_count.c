/* fails with "bsp_oblsync: -1 messages cannot be waited for": bsp_oblsync for a negative number. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p, (void)s;
    bsp_oblsync(bsp, -1);
}
