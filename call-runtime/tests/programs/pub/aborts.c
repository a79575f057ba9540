/* dies from 2 processors: a processor aborts while the others are at the end. */
#include "check.h"

#include <signal.h>

static void behave(t_bsp *bsp, int p, int s)
{
    (void)bsp, (void)p;
    if (s == 1) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
}
