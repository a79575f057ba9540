/* dies from 2 processors: a processor crashes while the others are at the end. */
#include "check.h"

#include <signal.h>

static void behave(int p, int s)
{
    (void)p;
    if (s == 1) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
}
