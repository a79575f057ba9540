/* dies from 2 processors: a processor is killed while the others wait. */
#include "check.h"

#include <signal.h>

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    if (s == 1) {
        raise(SIGKILL);
    }
    bsp_sync(bsp);
}
