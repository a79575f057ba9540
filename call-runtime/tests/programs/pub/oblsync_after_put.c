/* fails with "has puts, gets or registrations in superstep 1: end it with bsp_sync": bsp_oblsync counts messages only. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bsp_push_reg(bsp, &s, sizeof s);
    bsp_oblsync(bsp, 0);
}
