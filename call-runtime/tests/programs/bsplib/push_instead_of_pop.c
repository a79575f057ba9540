/* fails with "have not called bsp_push_reg and bsp_pop_reg alike" from 2 processors:
 * one processor registers where the others take back. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    if (s == 0) {
        bsp_pop_reg(&area);
    } else {
        bsp_push_reg(&value, sizeof value);
    }
    bsp_sync();
}
