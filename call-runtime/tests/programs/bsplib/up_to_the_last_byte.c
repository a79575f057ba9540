/* ok: an area can be written and read up to its last byte. */
#include "check.h"

static void behave(int p, int s)
{
    char area[16], last = (char)s, copy = -1;
    memset(area, -1, sizeof area);
    bsp_push_reg(area, 10);
    bsp_sync();
    bsp_put((s + 1) % p, &last, area, 9, 1);
    bsp_sync();
    CHECK(area[9] == (char)((s + p - 1) % p) && area[8] == -1 && area[10] == -1);
    bsp_get((s + 1) % p, area, 9, &copy, 1);
    bsp_sync();
    CHECK(copy == (char)s);
}
