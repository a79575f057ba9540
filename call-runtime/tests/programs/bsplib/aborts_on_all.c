/* fails with "stop on a processor": bsp_abort on all processors at once. */
#include "check.h"

static void behave(int p, int s)
{
    (void)p, (void)s;
    bsp_abort("stop on a processor");
}
