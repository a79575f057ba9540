/* ok: of two puts of one processor to one place the bytes of one are there, not a mixture. */
#include "check.h"

static void behave(int p, int s)
{
    unsigned char area[16] = {0}, first[16], second[16];
    memset(first, 1, sizeof first);
    memset(second, 2, sizeof second);
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put((s + 1) % p, first, area, 0, sizeof first);
    bsp_put((s + 1) % p, second, area, 0, sizeof second);
    bsp_sync();
    CHECK(area[0] == 1 || area[0] == 2);
    for (int at = 0; at < 16; at++) {
        CHECK(area[at] == area[0]);
    }
}
