/* fails with "bsp_partition: the last part ends before processor 64, but the machine has":
 * a part with more processors than there are. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[1] = {64};
    t_bsp part;
    (void)p, (void)s;
    bsp_partition(bsp, &part, 1, ends);
}
