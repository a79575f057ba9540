/* ok: a single part is the machine again, with supersteps of its own. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp part;
    bsp_partition(bsp, &part, 1, &p);
    CHECK(bsp_nprocs(&part) == p && bsp_pid(&part) == s);
    bsp_send(&part, (s + 1) % p, &s, sizeof s);
    bsp_sync(&part);
    CHECK(bsp_nmsgs(&part) == 1 && bsp_nmsgs(bsp) == 0);
    bsp_done(&part);
}
