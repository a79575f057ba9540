/* fails with "bsplib_done: a part of this machine is still open: close it with bsp_done first":
 * bsplib_done while a part is open. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    static t_bsp part;
    (void)s;
    bsp_partition(bsp, &part, 1, &p);
}
