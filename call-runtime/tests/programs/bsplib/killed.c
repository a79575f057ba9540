/* dies from 2 processors: a processor is killed while the others synchronise. */
#include "check.h"

#include <signal.h>

static void behave(int p, int s)
{
    (void)p;
    if (s == 1) {
        raise(SIGKILL);
    }
    bsp_sync();
}
