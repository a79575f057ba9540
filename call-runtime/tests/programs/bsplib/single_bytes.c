/* ok: bytes are put and got one by one, at any offset. */
#include "check.h"

static void behave(int p, int s)
{
    unsigned char area[100], got[100] = {0}, byte;
    memset(area, 0, sizeof area);
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (int at = 0; at < 100; at++) {
        byte = (unsigned char)(at + s);
        bsp_put((s + 1) % p, &byte, area, at, 1);
    }
    bsp_sync();
    for (int at = 0; at < 100; at++) {
        CHECK(area[at] == (unsigned char)(at + (s + p - 1) % p));
        bsp_get((s + 1) % p, area, 99 - at, &got[at], 1);
    }
    bsp_sync();
    for (int at = 0; at < 100; at++) {
        CHECK(got[at] == (unsigned char)(99 - at + s));
    }
}
