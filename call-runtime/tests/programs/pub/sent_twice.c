/* fails with "bsp_sendmsg: the message was sent before, or has arrived": a new message is sent once. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bspmsg *message = bsp_createmsg(bsp, 4);
    bsp_sendmsg(bsp, (s + 1) % p, message);
    bsp_sendmsg(bsp, (s + 1) % p, message);
}
