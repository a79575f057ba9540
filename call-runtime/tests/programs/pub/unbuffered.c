/* ok: bsp_hpsend brings data that stays unchanged until the end of the superstep. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    static int values[5000];
    for (int at = 0; at < 5000; at++) {
        values[at] = s + at;
    }
    bsp_hpsend(bsp, (s + 1) % p, values, sizeof values);
    bsp_sync(bsp);
    const int *came = bspmsg_data(bsp_getmsg(bsp, 0));
    CHECK(bspmsg_size(bsp_getmsg(bsp, 0)) == (int)sizeof values);
    for (int at = 0; at < 5000; at++) {
        CHECK(came[at] == (s + p - 1) % p + at);
    }
}
