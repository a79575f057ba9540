/* fails with "of a machine of one processor has 0 messages, and 1 are waited for": a processor alone waits for a message. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[64];
    t_bsp part;
    (void)s;
    for (int index = 0; index < p; index++) {
        ends[index] = index + 1;
    }
    bsp_partition(bsp, &part, p, ends);
    bsp_oblsync(&part, 1);
}
