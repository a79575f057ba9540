/* fails with "stop: waited for": bsp_abort while the others wait in bsp_sync. */
#include "check.h"

static void behave(int p, int s)
{
    if (s == p - 1) {
        bsp_abort("stop: waited for\n");
    }
    bsp_sync();
}
