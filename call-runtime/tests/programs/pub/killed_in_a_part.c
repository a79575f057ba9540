/* dies from 2 processors: a processor of another part is killed, and this one waits for the parent. */
#include "check.h"

#include <signal.h>

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[2] = {1, p};
    t_bsp part;
    bsp_partition(bsp, &part, 2, ends);
    if (s == 0) {
        raise(SIGKILL);
    }
    bsp_sync(&part);
    bsp_done(&part);
    bsp_oblsync(bsp, 1);
}
