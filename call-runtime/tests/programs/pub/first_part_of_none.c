/* fails with "bsp_partition: part 0 would start at processor 0 and end before processor 0: the ends must increase":
 * a first part without processors. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[2] = {0, p};
    t_bsp part;
    (void)s;
    bsp_partition(bsp, &part, 2, ends);
}
