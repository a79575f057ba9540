/* fails with "bsp_get: processor 0 reads past the end of a registered area of 80 bytes: 80 bytes at offset 1, on processor 0":
 * bsp_get beyond the area. */
#include "check.h"

static void behave(int p, int s)
{
    char area[100] = {0}, here[100] = {0};
    bsp_push_reg(area, 80);
    bsp_sync();
    if (p > 0 && s == 0) {
        bsp_get(0, area, 1, here, 80);
    }
    bsp_sync();
}
