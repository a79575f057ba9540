/* fails with "bsp_partition: the last part ends before processor 1, but the machine has" from 2 processors:
 * processors that belong to no part. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[1] = {1};
    t_bsp part;
    (void)p, (void)s;
    bsp_partition(bsp, &part, 1, ends);
}
