/* fails with "bsp_put: processor 0 writes past the end of a registered area of 4 bytes: 4 bytes at offset 2147483647":
 * an offset as large as they can be. */
#include "check.h"

static void behave(int p, int s)
{
    int area = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    if (s == 0) {
        bsp_put(0, &s, &area, INT_MAX, sizeof s);
    }
    bsp_sync();
}
