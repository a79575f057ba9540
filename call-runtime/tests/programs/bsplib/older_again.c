/* fails with "bsp_put: processor 0 writes past the end of a registered area of 4 bytes":
 * bsp_pop_reg takes back the newest registration, and the older one counts again. */
#include "check.h"

static void behave(int p, int s)
{
    char area[16] = {0}, sent[16] = {0};
    bsp_push_reg(area, 4);
    bsp_push_reg(area, 16);
    bsp_sync();
    bsp_pop_reg(area);
    bsp_sync();
    bsp_put((s + 1) % p, sent, area, 0, 4);
    bsp_sync();
    if (s == 0) {
        bsp_put((s + 1) % p, sent, area, 0, 5);
    }
    bsp_sync();
}
