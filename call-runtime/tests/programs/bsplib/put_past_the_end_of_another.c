/* fails with "bsp_put: processor 0 writes past the end of a registered area of 4 bytes: 8 bytes at offset 0" from 2 processors:
 * the size that the target registered counts. */
#include "check.h"

static void behave(int p, int s)
{
    char area[8] = {0}, here[8] = {0};
    bsp_push_reg(area, s == 1 ? 4 : 8);
    bsp_sync();
    if (s == 0) {
        bsp_put(p - 1 > 0 ? 1 : 0, here, area, 0, 8);
    }
    bsp_sync();
}
