/* fails with "superstep 1, which has not been ended with a bsp_sync":
 * messages of a part that is closed without a synchronisation. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    bsp_partition(bsp, &part, 1, &p);
    bsp_send(&part, (s + 1) % p, &s, sizeof s);
    bsp_done(&part);
}
