/* ok: hundreds of parts, one after the other. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int round = 0; round < 300; round++) {
        int ends[2] = {1 + round % p, p};
        t_bsp part;
        bsp_partition(bsp, &part, ends[0] < p ? 2 : 1, ends);
        bsp_send(&part, 0, &round, sizeof round);
        bsp_sync(&part);
        CHECK(bsp_pid(&part) != 0 || bsp_nmsgs(&part) == bsp_nprocs(&part));
        bsp_done(&part);
    }
    CHECK(bsp_pid(bsp) == s);
}
