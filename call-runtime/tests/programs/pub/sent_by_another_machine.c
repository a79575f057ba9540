/* fails with "bsp_sendmsg: the message was made for another machine": a new message of the parent is sent by a part. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    t_bspmsg *message = bsp_createmsg(bsp, 4);
    bsp_partition(bsp, &part, 1, &p);
    bsp_sendmsg(&part, s, message);
}
