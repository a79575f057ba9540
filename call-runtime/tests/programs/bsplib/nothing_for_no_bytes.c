/* ok: a put or get of 0 bytes does nothing, wherever. */
#include "check.h"

static void behave(int p, int s)
{
    char here = 1;
    bsp_put(s, &here, &here, 5, 0);
    bsp_get(s, &here, 5, &here, 0);
    bsp_hpput(s, NULL, NULL, 0, 0);
    bsp_hpget(s, NULL, 0, NULL, 0);
    bsp_sync();
    CHECK(p > 0 && here == 1);
}
