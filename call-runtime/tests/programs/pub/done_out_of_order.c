/* fails with "bsp_done: a part of this machine is still open: close it with bsp_done first":
 * an outer part is closed before the inner one. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part, inner;
    (void)s;
    bsp_partition(bsp, &part, 1, &p);
    bsp_partition(&part, &inner, 1, &p);
    bsp_done(&part);
}
