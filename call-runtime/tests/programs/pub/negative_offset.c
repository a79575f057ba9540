/* fails with "bsp_put: 4 bytes at offset -4: neither can be negative": a put before the start of its area. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int value = p;
    bsp_put(bsp, 0, &value, &s, -4, sizeof value);
}
