/* ok: messages of later supersteps that come early are kept for theirs. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    enum { ROUNDS = 20 };
    /* Processor 0 is ROUNDS supersteps ahead before the last one has ended its first. */
    for (int round = 0; round < ROUNDS; round++) {
        if (s == 0) {
            int value = 100 + round;
            bsp_send(bsp, p - 1, &value, sizeof value);
            bsp_oblsync(bsp, p == 1 ? 1 : 0);
        } else {
            bsp_oblsync(bsp, s == p - 1 ? 1 : 0);
        }
        if (s == p - 1) {
            CHECK(bsp_nmsgs(bsp) == 1 && *(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == 100 + round);
        }
    }
}
