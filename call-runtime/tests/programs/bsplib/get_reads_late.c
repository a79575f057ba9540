/* ok: a get takes what is there when the superstep ends. */
#include "check.h"

static void behave(int p, int s)
{
    int source = -1, copy = -2;
    bsp_push_reg(&source, sizeof source);
    bsp_sync();
    bsp_get((s + 1) % p, &source, 0, &copy, sizeof copy);
    source = s;
    CHECK(copy == -2);
    bsp_sync();
    CHECK(copy == (s + 1) % p);
}
