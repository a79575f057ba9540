/* fails with "bsp_pop_reg: all processors take back NULL in superstep 2" from 2 processors: NULL is taken back once more than all registered it. */
#include "check.h"

static void behave(int p, int s)
{
    int area = p;
    bsp_push_reg(s == 0 ? &area : NULL, sizeof area);
    bsp_push_reg(s == p - 1 && p > 1 ? &area : NULL, sizeof area);
    bsp_push_reg(NULL, 0);
    bsp_sync();
    bsp_pop_reg(NULL);
    bsp_pop_reg(NULL);
    bsp_sync();
}
