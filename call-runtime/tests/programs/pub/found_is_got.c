/* ok: bsp_findmsg and bsp_getmsg give the same messages, as often as one asks. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int to = 0; to < p; to++) {
        bsp_send(bsp, to, &s, sizeof s);
        bsp_send(bsp, to, &p, sizeof p);
    }
    bsp_sync(bsp);
    for (int index = 2 * p - 1; index >= 0; index--) {
        CHECK(bsp_getmsg(bsp, index) == bsp_findmsg(bsp, index / 2, index % 2));
        CHECK(bspmsg_data(bsp_getmsg(bsp, index)) == bspmsg_data(bsp_findmsg(bsp, index / 2, index % 2)));
    }
}
