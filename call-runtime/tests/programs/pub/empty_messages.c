/* ok: an empty message is a message, also from NULL. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, (s + 1) % p, &s, 0);
    bsp_send(bsp, (s + 1) % p, NULL, 0);
    bsp_hpsend(bsp, (s + 1) % p, NULL, 0);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 3);
    for (int index = 0; index < 3; index++) {
        CHECK(bspmsg_size(bsp_getmsg(bsp, index)) == 0 && bspmsg_src(bsp_getmsg(bsp, index)) == (s + p - 1) % p);
    }
}
