/* fails with "bsp_oblsync: a part of this machine is still open: close it with bsp_done first":
 * the parent ends a superstep while a part is open. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    (void)s;
    bsp_partition(bsp, &part, 1, &p);
    bsp_oblsync(bsp, 0);
}
