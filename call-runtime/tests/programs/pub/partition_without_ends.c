/* fails with "bsp_partition: the address of the new t_bsp or of the ends of the parts is NULL": a partition without its ends. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    (void)p, (void)s;
    bsp_partition(bsp, &part, 1, NULL);
}
