/* fails with "bsp_createmsg: a message of -1 bytes cannot be made": a new message of a negative size. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p, (void)s;
    bsp_createmsg(bsp, -1);
}
