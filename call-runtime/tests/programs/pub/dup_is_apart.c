/* ok: bsp_dup makes a machine of the same processors whose messages and supersteps are its own. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp copy;
    bsp_send(bsp, s, &s, sizeof s);
    bsp_dup(bsp, &copy);
    CHECK(bsp_nprocs(&copy) == p && bsp_pid(&copy) == s);
    bsp_send(&copy, (s + 1) % p, &p, sizeof p);
    bsp_sync(&copy);
    CHECK(bsp_nmsgs(&copy) == 1 && *(int *)bspmsg_data(bsp_getmsg(&copy, 0)) == p);
    bsp_done(&copy);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 1 && *(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == s);
}
