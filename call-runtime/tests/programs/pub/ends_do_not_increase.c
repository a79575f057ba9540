/* fails with "bsp_partition: part 1 would start at processor 1 and end before processor 0: the ends must increase":
 * ends of parts that fall. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[2] = {1, 0};
    t_bsp part;
    (void)p, (void)s;
    bsp_partition(bsp, &part, 2, ends);
}
