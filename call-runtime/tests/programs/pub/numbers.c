/* ok: processors are numbered from 0, and each number comes once. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    CHECK(p >= 1 && 0 <= s && s < p);
    for (int to = 0; to < p; to++) {
        bsp_send(bsp, to, &s, sizeof s);
    }
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == p);
    for (int from = 0; from < p; from++) {
        int number;
        memcpy(&number, bspmsg_data(bsp_getmsg(bsp, from)), sizeof number);
        CHECK(number == from);
    }
    CHECK(bsp_nprocs(bsp) == p && bsp_pid(bsp) == s);
}
