/* ok: each processor gives the size of its own area, and that of the target counts. */
#include "check.h"

static void behave(int p, int s)
{
    char area[8] = {0}, sent[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int last = p - 1;
    bsp_push_reg(area, s == last ? 8 : 1);
    bsp_sync();
    bsp_put(last, sent, area, 0, 8);
    bsp_sync();
    CHECK(s != last || memcmp(area, sent, 8) == 0);
    CHECK(s == last || area[0] == 0);
}
