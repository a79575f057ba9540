/* fails with "was registered in this superstep, and can be used after the next bsp_sync":
 * a put to an area in the superstep of its registration. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_hpput(0, &value, &area, 0, sizeof value);
    bsp_sync();
}
