/* fails with "bsp_partition: a part of this machine is still open: close it with bsp_done first":
 * a machine is divided while a part of it is open. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part, another;
    (void)s;
    bsp_partition(bsp, &part, 1, &p);
    bsp_partition(bsp, &another, 1, &p);
}
