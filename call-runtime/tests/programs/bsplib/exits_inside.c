/* fails with " before bsp_end": a processor exits between bsp_begin and bsp_end. */
#include "check.h"

static void behave(int p, int s)
{
    if (s == p - 1) {
        exit(0);
    }
    bsp_sync();
}
