/* fails with "bspmsg_src: the message is gone, as messages are after": a message of a part is read after bsp_done. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    bsp_partition(bsp, &part, 1, &p);
    bsp_send(&part, s, &s, sizeof s);
    bsp_sync(&part);
    t_bspmsg *message = bsp_getmsg(&part, 0);
    bsp_done(&part);
    bspmsg_src(message);
}
