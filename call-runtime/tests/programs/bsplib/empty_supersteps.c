/* ok: a thousand empty supersteps. */
#include "check.h"

static void behave(int p, int s)
{
    for (int round = 0; round < 1000; round++) {
        bsp_sync();
    }
    CHECK(bsp_nprocs() == p && bsp_pid() == s);
}
