/* fails with "bsplib_init: a program can start its processors only once": a second bsplib_init. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p, (void)s;
    bsplib_init(BSPLIB_STDPARAMS, bsp);
}
