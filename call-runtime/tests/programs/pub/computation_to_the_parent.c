/* ok: to the parent all of a part is computation: its superstep and its messages stay. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_sync(bsp);
    bsp_send(bsp, (s + 1) % p, &p, sizeof p);
    bsp_partition(bsp, &part, 1, &p);
    bsp_sync(&part);
    bsp_sync(&part);
    bsp_oblsync(&part, 0);
    CHECK(*(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == (s + p - 1) % p);
    bsp_done(&part);
    CHECK(bsp_nmsgs(bsp) == 1 && *(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == (s + p - 1) % p);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 1 && *(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == p);
}
