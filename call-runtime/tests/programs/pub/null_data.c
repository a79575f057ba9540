/* fails with "bsp_hpsend: the data of a message of 4 bytes is NULL": a message from nowhere. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p, (void)s;
    bsp_hpsend(bsp, 0, NULL, 4);
}
