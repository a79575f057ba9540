/* fails with "bsp_partition: a machine cannot be divided into 0 parts": no parts. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    (void)s;
    bsp_partition(bsp, &part, 0, &p);
}
