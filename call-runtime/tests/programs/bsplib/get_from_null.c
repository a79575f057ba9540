/* fails with "bsp_get: processor 0 reads an area that processor 1 has registered as NULL" from 2 processors:
 * a get from a processor that takes no part. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(s == 1 ? NULL : &area, sizeof area);
    bsp_sync();
    if (s == 0) {
        bsp_get(1, &area, 0, &value, sizeof value);
    }
    bsp_sync();
}
