/* ok: a message stays where it is while the next superstep sends others. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    static char block[10000];
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_sync(bsp);
    const int *first = bspmsg_data(bsp_getmsg(bsp, 0));
    for (int count = 0; count < 100; count++) {
        bsp_send(bsp, (s + 1) % p, block, sizeof block);
    }
    CHECK(*first == (s + p - 1) % p && bsp_nmsgs(bsp) == 1);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 100);
}
