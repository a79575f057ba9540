/* fails with "stop: 7 of": bsp_abort says its text and ends the run. */
#include "check.h"

static void behave(int p, int s)
{
    if (s == p - 1) {
        bsp_abort("stop: %d of %d", 7, p);
    }
    bsp_sync();
}
