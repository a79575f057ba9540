/* dies from 2 processors: a processor crashes while another waits for its message. */
#include "check.h"

#include <signal.h>

static void behave(t_bsp *bsp, int p, int s)
{
    (void)p;
    if (s == 1) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    bsp_oblsync(bsp, 1);
}
