/* ok: of several registrations of an address the newest counts. */
#include "check.h"

static void behave(int p, int s)
{
    char area[16] = {0}, sent[16];
    memset(sent, 1, sizeof sent);
    bsp_push_reg(area, 4);
    bsp_sync();
    bsp_push_reg(area, 16);
    bsp_sync();
    bsp_put((s + 1) % p, sent, area, 0, 16);
    bsp_sync();
    CHECK(area[15] == 1);
}
