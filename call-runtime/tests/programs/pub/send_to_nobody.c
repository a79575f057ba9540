/* fails with "bsp_send: processor 64 does not exist in a machine of": a message to a processor that does not exist. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bsp_send(bsp, 64, &s, sizeof s);
}
