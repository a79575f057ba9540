/* ok: an area of 0 bytes can be registered and taken back. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s;
    bsp_push_reg(&area, 0);
    bsp_sync();
    bsp_put((s + 1) % p, &s, &area, 0, 0);
    bsp_sync();
    bsp_pop_reg(&area);
    bsp_sync();
    CHECK(area == s);
}
