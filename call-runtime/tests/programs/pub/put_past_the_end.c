/* fails with "bsp_put: processor 0 writes past the end of a registered area of 4 bytes: 4 bytes at offset 1, on processor 0":
 * a put beyond its area. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(bsp, &area, sizeof area);
    bsp_sync(bsp);
    if (s == 0) {
        bsp_put(bsp, 0, &value, &area, 1, sizeof value);
    }
    bsp_sync(bsp);
}
