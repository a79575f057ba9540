/* ok: a message may be made in one superstep and sent in another, or never. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bspmsg *later = bsp_createmsg(bsp, sizeof s), *never = bsp_createmsg(bsp, 100);
    memcpy(bspmsg_data(later), &s, sizeof s);
    memset(bspmsg_data(never), 1, 100);
    bsp_sync(bsp);
    bsp_oblsync(bsp, 0);
    CHECK(bsp_nmsgs(bsp) == 0 && *(int *)bspmsg_data(later) == s);
    bsp_sendmsg(bsp, (s + 1) % p, later);
    bsp_oblsync(bsp, 1);
    CHECK(*(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == (s + p - 1) % p);
}
