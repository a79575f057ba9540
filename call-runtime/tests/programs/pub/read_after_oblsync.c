/* fails with "bspmsg_size: the message is gone, as messages are after the next bsp_sync or bsp_oblsync of their machine":
 * a message is asked for its size after the next bsp_oblsync. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_oblsync(bsp, 1);
    t_bspmsg *message = bsp_getmsg(bsp, 0);
    bsp_oblsync(bsp, 0);
    bspmsg_size(message);
}
