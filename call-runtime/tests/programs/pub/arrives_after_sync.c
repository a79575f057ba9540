/* ok: a message is there after the next synchronisation, not before. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    CHECK(bsp_nmsgs(bsp) == 0);
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    CHECK(bsp_nmsgs(bsp) == 0);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 1);
    t_bspmsg *message = bsp_getmsg(bsp, 0);
    CHECK(bspmsg_src(message) == (s + p - 1) % p && bspmsg_size(message) == (int)sizeof s);
    CHECK(*(int *)bspmsg_data(message) == (s + p - 1) % p);
}
