/* fails with "each waits for the other for ever" from 2 processors: one processor calls bsplib_done, the others synchronise. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    if (s != p - 1) {
        bsp_sync(bsp);
    }
}
