/* fails with "bspmsg_data: the message is NULL: bsp_findmsg found none": the data of a message that was not found. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    bspmsg_data(bsp_findmsg(bsp, s, 0));
}
