/* fails with "superstep 1, which has not been ended with a bsp_sync": messages before bsplib_done without a synchronisation. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
}
