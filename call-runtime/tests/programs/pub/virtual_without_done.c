/* fails with "bsp_migrate_dup: the function of the virtual processors returned without bsp_migrate_done": its end is left out. */
#include "check.h"

static void live(t_bsp *bsp, void *parameter)
{
    (void)bsp;
    (void)parameter;
}

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    (void)s;
    bsp_migrate_dup(bsp, 2, live, NULL, 0);
}
