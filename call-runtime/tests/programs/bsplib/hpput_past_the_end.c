/* fails with "bsp_hpput: processor 0 writes past the end of a registered area of 80 bytes: 80 bytes at offset 1, on processor 0":
 * bsp_hpput beyond the area. */
#include "check.h"

static void behave(int p, int s)
{
    char area[100] = {0}, here[100] = {0};
    bsp_push_reg(area, 80);
    bsp_sync();
    if (p > 0 && s == 0) {
        bsp_hpput(0, here, area, 1, 80);
    }
    bsp_sync();
}
