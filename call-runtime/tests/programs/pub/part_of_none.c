/* fails with "bsp_partition: part 1 would start at processor 1 and end before processor 1: the ends must increase":
 * a part without processors. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[3] = {1, 1, 2};
    t_bsp part;
    (void)p, (void)s;
    bsp_partition(bsp, &part, 3, ends);
}
