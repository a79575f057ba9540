/* fails with "bspmsg_src: the message is NULL: bsp_findmsg found none": the sender of a message that was not found. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bspmsg_src(bsp_findmsg(bsp, s, 0));
}
