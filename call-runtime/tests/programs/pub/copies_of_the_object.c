/* ok: a copy of a t_bsp stands for the same machine. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp copy = *bsp;
    bsp_send(&copy, (s + 1) % p, &s, sizeof s);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(&copy) == 1 && bsp_getmsg(&copy, 0) == bsp_getmsg(bsp, 0));
    CHECK(bsp_nprocs(&copy) == p && bsp_pid(&copy) == s);
}
