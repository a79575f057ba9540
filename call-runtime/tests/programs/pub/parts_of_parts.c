/* ok: parts have parts, down to single processors, closed in the opposite order. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp machines[16];
    int depth = 0;
    machines[0] = *bsp;
    while (bsp_nprocs(&machines[depth]) > 1) {
        int ends[2];
        ends[1] = bsp_nprocs(&machines[depth]);
        ends[0] = ends[1] / 2;
        bsp_partition(&machines[depth], &machines[depth + 1], 2, ends);
        depth++;
    }
    CHECK(p == 1 || depth > 0);
    for (; depth > 0; depth--) {
        int size = bsp_nprocs(&machines[depth]);
        bsp_send(&machines[depth], (bsp_pid(&machines[depth]) + 1) % size, &s, sizeof s);
        bsp_sync(&machines[depth]);
        CHECK(bsp_nmsgs(&machines[depth]) == 1);
        bsp_done(&machines[depth]);
    }
    bsp_sync(bsp);
}
