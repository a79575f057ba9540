/* fails with "was registered in this superstep, and can be used after the next bsp_sync":
 * a put in the superstep of the registration. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(bsp, &area, sizeof area);
    bsp_put(bsp, 0, &value, &area, 0, sizeof value);
}
