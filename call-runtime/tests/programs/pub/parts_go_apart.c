/* ok: parts have different numbers of supersteps, and messages only of their own. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[2] = {(p + 1) / 2, p};
    t_bsp part;
    bsp_partition(bsp, &part, p > 1 ? 2 : 1, ends);
    int size = bsp_nprocs(&part), own = bsp_pid(&part), first = s < ends[0];
    for (int round = 0; round < (first ? 7 : 2); round++) {
        int value = first ? round : -round;
        bsp_send(&part, (own + 1) % size, &value, sizeof value);
        bsp_sync(&part);
        CHECK(bsp_nmsgs(&part) == 1 && *(int *)bspmsg_data(bsp_getmsg(&part, 0)) == value);
    }
    bsp_done(&part);
    bsp_send(bsp, 0, &s, sizeof s);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == (s == 0 ? p : 0));
}
