/* fails with "bsp_put: processor 0 writes an area that processor 1 has registered as NULL" from 2 processors:
 * a put to a processor that takes no part. */
#include "check.h"

static void behave(int p, int s)
{
    char area = 0, here = 0;
    bsp_push_reg(s == 1 ? NULL : &area, 1);
    bsp_sync();
    if (s == 0) {
        bsp_put(p - 1 > 0 ? 1 : 0, &here, &area, 0, 1);
    }
    bsp_sync();
}
