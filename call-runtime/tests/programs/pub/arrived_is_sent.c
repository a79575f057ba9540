/* fails with "bsp_sendmsg: the message was sent before, or has arrived": a message that has arrived is not sent on. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_sync(bsp);
    bsp_sendmsg(bsp, s, bsp_getmsg(bsp, 0));
}
