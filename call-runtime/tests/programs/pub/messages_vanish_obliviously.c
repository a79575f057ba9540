/* ok: messages are gone after the next bsp_oblsync, too. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_send(bsp, (s + 1) % p, &s, sizeof s);
    bsp_oblsync(bsp, 1);
    CHECK(bsp_nmsgs(bsp) == 1);
    bsp_oblsync(bsp, 0);
    CHECK(bsp_nmsgs(bsp) == 0);
}
