/* fails with "bsp_done: the t_bsp object stands for no machine: it was closed, or never made by bsplib_init":
 * a part is closed twice. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    (void)s;
    bsp_partition(bsp, &part, 1, &p);
    bsp_done(&part);
    bsp_done(&part);
}
