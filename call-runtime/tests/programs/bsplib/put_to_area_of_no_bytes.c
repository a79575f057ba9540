/* fails with "bsp_put: processor 0 writes past the end of a registered area of 0 bytes: 1 bytes at offset 0, on processor 0":
 * a put into an area of 0 bytes. */
#include "check.h"

static void behave(int p, int s)
{
    int area = p;
    bsp_push_reg(&area, 0);
    bsp_sync();
    if (s == 0) {
        bsp_put(0, &s, &area, 0, 1);
    }
    bsp_sync();
}
