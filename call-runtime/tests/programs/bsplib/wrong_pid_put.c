/* fails with "bsp_put: processor 9 does not exist in a machine of": a put to a processor that does not exist. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_put(9, &value, &area, 0, sizeof value);
    bsp_sync();
}
