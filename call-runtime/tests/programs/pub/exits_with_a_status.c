/* dies: a processor exits with a status of its own. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    if (s == p - 1) {
        exit(7);
    }
    bsp_sync(bsp);
}
