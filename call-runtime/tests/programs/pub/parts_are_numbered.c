/* ok: a part numbers its processors from 0: S_0 = 0 ... Y[0]-1, S_1 = Y[0] ... Y[1]-1. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[2] = {1, p};
    t_bsp part;
    bsp_partition(bsp, &part, p > 1 ? 2 : 1, ends);
    CHECK(bsp_nprocs(&part) == (s == 0 ? 1 : p - 1));
    CHECK(bsp_pid(&part) == (s == 0 ? 0 : s - 1));
    CHECK(bsp_nprocs(bsp) == p && bsp_pid(bsp) == s);
    bsp_done(&part);
    CHECK(bsp_nprocs(bsp) == p && bsp_pid(bsp) == s);
}
