/* ok: messages are gone after the next bsp_sync, read or not. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 1);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 0 && bsp_findmsg(bsp, (s + p - 1) % p, 0) == NULL);
}
