/* fails with "each waits for the other for ever" from 2 processors: a processor calls bsp_end while the others synchronise. */
#include "check.h"

static void behave(int p, int s)
{
    if (s != p - 1) {
        bsp_sync();
    }
}
