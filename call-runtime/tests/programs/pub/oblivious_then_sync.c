/* ok: a machine may end one superstep with bsp_oblsync and the next with bsp_sync. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int round = 0; round < 10; round++) {
        bsp_send(bsp, (s + 1) % p, &round, sizeof round);
        if (round % 3 == 0) {
            bsp_sync(bsp);
        } else {
            bsp_oblsync(bsp, 1);
        }
        CHECK(bsp_nmsgs(bsp) == 1 && *(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == round);
    }
}
