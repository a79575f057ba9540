/* fails with "bsp_send: a message of -4 bytes cannot be sent": a message of a negative size. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bsp_send(bsp, 0, &s, -4);
}
