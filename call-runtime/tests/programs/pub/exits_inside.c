/* fails with "before bsplib_done": a processor exits while the others synchronise. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    if (s == p - 1) {
        exit(0);
    }
    bsp_sync(bsp);
}
