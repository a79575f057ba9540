/* fails with "bsp_gbcast: processor 0 is not among the processors that take part" from 2 processors: it calls for others. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int other = p - 1, value = s;
    if (s == 0) {
        bsp_gbcast(bsp, 1, &other, other, &value, sizeof value);
    }
    bsp_sync(bsp);
}
