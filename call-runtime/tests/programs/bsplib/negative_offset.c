/* fails with "bsp_put: 4 bytes at offset -4: neither can be negative": a put before the start of an area. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_put(0, &value, &area, -4, 4);
    bsp_sync();
}
