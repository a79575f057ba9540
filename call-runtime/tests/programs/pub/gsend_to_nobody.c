/* fails with "bsp_gsend: processor 64 does not exist in a machine of": a list with a processor that does not exist. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int to[2] = {0, 64};
    (void)p;
    bsp_gsend(bsp, 2, to, &s, sizeof s);
}
