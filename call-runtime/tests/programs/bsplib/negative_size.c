/* fails with "bsp_get: -4 bytes at offset 0: neither can be negative": a get of a negative number of bytes. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_get(0, &area, 0, &value, -4);
    bsp_sync();
}
