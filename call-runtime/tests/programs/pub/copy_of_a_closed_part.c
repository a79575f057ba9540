/* fails with "bsp_sync: the BSP machine that was given is not open: it was closed": a copy of the object of a closed part. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part, copy;
    (void)s;
    bsp_partition(bsp, &part, 1, &p);
    copy = part;
    bsp_done(&part);
    bsp_sync(&copy);
}
