/* fails with "bsp_findmsg: processor -1 does not exist in a machine of": messages of a processor that does not exist. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p, (void)s;
    bsp_findmsg(bsp, -1, 0);
}
