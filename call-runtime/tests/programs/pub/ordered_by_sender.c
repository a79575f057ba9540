/* ok: messages are ordered by their senders, then as they were sent. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int number = 0; number < 3; number++) {
        for (int to = p - 1; to >= 0; to--) {
            int value = 10 * s + number;
            bsp_send(bsp, to, &value, sizeof value);
        }
    }
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 3 * p);
    for (int index = 0; index < 3 * p; index++) {
        t_bspmsg *message = bsp_getmsg(bsp, index);
        CHECK(bspmsg_src(message) == index / 3);
        CHECK(*(int *)bspmsg_data(message) == 10 * (index / 3) + index % 3);
    }
}
