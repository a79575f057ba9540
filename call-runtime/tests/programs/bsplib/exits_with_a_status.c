/* dies from 2 processors: a processor exits with a status of its own. */
#include "check.h"

#include <signal.h>

static void behave(int p, int s)
{
    (void)p;
    if (s == 1) {
        exit(7);
    }
    bsp_sync();
}
