/* ok: bsp_partition and bsp_done do not communicate: a processor goes through alone. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part, inner;
    if (s == 0) {
        /* The others begin when they hear of this one, which is at its end. */
        int ends[2] = {1, p};
        bsp_partition(bsp, &part, p > 1 ? 2 : 1, ends);
        bsp_dup(&part, &inner);
        bsp_sync(&inner);
        bsp_done(&inner);
        bsp_done(&part);
        for (int to = 1; to < p; to++) {
            bsp_send(bsp, to, &s, sizeof s);
        }
        bsp_oblsync(bsp, 0);
    } else {
        int ends[2] = {1, p};
        bsp_oblsync(bsp, 1);
        bsp_partition(bsp, &part, 2, ends);
        bsp_sync(&part);
        bsp_done(&part);
    }
}
