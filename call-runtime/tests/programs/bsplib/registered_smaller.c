/* fails with "bsp_put: processor 0 writes past the end of a registered area of 4 bytes: 4 bytes at offset 4":
 * an area that is registered again with a smaller size. */
#include "check.h"

static void behave(int p, int s)
{
    int area[2] = {p, s};
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_push_reg(area, sizeof area[0]);
    bsp_sync();
    if (s == 0) {
        bsp_put(0, &s, area, 4, sizeof s);
    }
    bsp_sync();
}
