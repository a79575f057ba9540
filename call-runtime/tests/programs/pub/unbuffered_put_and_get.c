/* ok: bsp_hpput and bsp_hpget move large blocks. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    enum { COUNT = 100000 };
    int *area = calloc(3 * COUNT, sizeof *area), *source = area + COUNT, *got = source + COUNT;
    int left = (s + p - 1) % p, right = (s + 1) % p;
    CHECK(area != NULL);
    for (int at = 0; at < COUNT; at++) {
        source[at] = at + s;
    }
    bsp_push_reg(bsp, area, COUNT * (int)sizeof *area);
    bsp_push_reg(bsp, source, COUNT * (int)sizeof *source);
    bsp_sync(bsp);
    bsp_hpput(bsp, right, source, area, 0, COUNT * (int)sizeof *area);
    bsp_hpget(bsp, right, source, 0, got, COUNT * (int)sizeof *got);
    bsp_sync(bsp);
    for (int at = 0; at < COUNT; at++) {
        CHECK(area[at] == at + left && got[at] == at + right);
    }
    free(area);
}
