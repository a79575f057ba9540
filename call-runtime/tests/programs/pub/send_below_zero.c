/* fails with "bsp_hpsend: processor -1 does not exist in a machine of": a message to a negative number. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bsp_hpsend(bsp, -1, &s, sizeof s);
}
