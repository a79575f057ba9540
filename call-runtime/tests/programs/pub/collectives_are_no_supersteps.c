/* ok: the superstep and its messages go on around a collective. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int value = s;
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_sync(bsp);
    bsp_send(bsp, (s + 1) % p, &p, sizeof p);
    bsp_bcast(bsp, 0, &value, sizeof value);
    CHECK(value == 0 && bsp_nmsgs(bsp) == 1);
    CHECK(*(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == (s + p - 1) % p);
    bsp_oblsync(bsp, 1);
    CHECK(*(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == p);
}
