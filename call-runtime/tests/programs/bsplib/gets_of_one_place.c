/* ok: many gets of one place, from many processors. */
#include "check.h"

static void behave(int p, int s)
{
    int area = 40 + s, got[50];
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    for (int at = 0; at < 50; at++) {
        bsp_get(0, &area, 0, &got[at], sizeof area);
    }
    bsp_sync();
    for (int at = 0; at < 50; at++) {
        CHECK(got[at] == 40);
    }
    CHECK(p > 0 && area == 40 + s);
}
