/* ok: one may send to oneself. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, s, "self", 5);
    bsp_sync(bsp);
    CHECK(p >= 1 && bsp_nmsgs(bsp) == 1 && bspmsg_src(bsp_getmsg(bsp, 0)) == s);
    CHECK(strcmp(bspmsg_data(bsp_getmsg(bsp, 0)), "self") == 0);
}
