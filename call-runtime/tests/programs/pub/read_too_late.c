/* fails with "bspmsg_data: the message is gone, as messages are after the next bsp_sync or bsp_oblsync of their machine":
 * a message is read after the next bsp_sync. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_sync(bsp);
    t_bspmsg *message = bsp_getmsg(bsp, 0);
    bsp_sync(bsp); /* with further messages one of them may have come to the same place */
    bspmsg_data(message);
}
