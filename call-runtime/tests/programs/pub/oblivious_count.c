/* ok: bsp_oblsync returns with the messages that it was told of, own ones included. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int to = 0; to < p; to++) {
        bsp_send(bsp, to, &s, sizeof s);
    }
    bsp_oblsync(bsp, p);
    CHECK(bsp_nmsgs(bsp) == p);
    for (int from = 0; from < p; from++) {
        CHECK(*(int *)bspmsg_data(bsp_findmsg(bsp, from, 0)) == from);
    }
}
