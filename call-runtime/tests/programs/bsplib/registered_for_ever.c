/* ok: areas need not be taken back before bsp_end. */
#include "check.h"

static void behave(int p, int s)
{
    static int area;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_put((s + 1) % p, &s, &area, 0, sizeof s);
    bsp_sync();
    CHECK(area == (s + p - 1) % p);
}
