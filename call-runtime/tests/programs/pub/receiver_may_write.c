/* ok: the receiver may change a message, and nobody else sees it. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    long numbers[4] = {1, 2, 3, 4};
    for (int to = 0; to < p; to++) {
        bsp_send(bsp, to, numbers, sizeof numbers);
    }
    bsp_sync(bsp);
    long *own = bspmsg_data(bsp_findmsg(bsp, s, 0));
    own[0] = own[3] = 100 + s;
    for (int from = 0; from < p; from++) {
        const long *its = bspmsg_data(bsp_findmsg(bsp, from, 0));
        CHECK(its[1] == 2 && its[0] == (from == s ? 100 + s : 1));
    }
    bsp_sync(bsp);
}
