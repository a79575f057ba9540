/* ok: empty supersteps, a thousand on one processor. */
#include "check.h"

static void behave(int p, int s)
{
    for (int round = 0; round < 1000 / p; round++) {
        bsp_sync();
    }
    CHECK(bsp_nprocs() == p && bsp_pid() == s);
}
