/* ok: empty supersteps, a thousand on one processor. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int round = 0; round < 1000 / p; round++) {
        bsp_sync(bsp);
        CHECK(bsp_nmsgs(bsp) == 0);
    }
    CHECK(s < p);
}
