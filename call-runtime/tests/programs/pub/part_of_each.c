/* ok: as many parts as processors. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[64];
    t_bsp part;
    CHECK(p <= 64);
    for (int index = 0; index < p; index++) {
        ends[index] = index + 1;
    }
    bsp_partition(bsp, &part, p, ends);
    CHECK(bsp_nprocs(&part) == 1 && bsp_pid(&part) == 0);
    bsp_send(&part, 0, &s, sizeof s);
    bsp_sync(&part);
    CHECK(*(int *)bspmsg_data(bsp_getmsg(&part, 0)) == s);
    bsp_done(&part);
}
