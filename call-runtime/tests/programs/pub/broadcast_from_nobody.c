/* fails with "bsp_bcast: processor 64 does not exist in a machine of": a broadcast from a processor that does not exist. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bsp_bcast(bsp, 64, &s, sizeof s);
}
