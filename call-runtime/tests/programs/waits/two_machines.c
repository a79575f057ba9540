/* fails with "all processors wait and no message is on its way; processor 0 in bsp_oblsync, superstep 1, with 0 of 1 messages; processor 1 in bsp_oblsync, superstep 1, with 0 of 1 messages" from 2 processors:
 * a message for each has come, but processors with even numbers have sent theirs on a copy of the machine. */
#include "../pub/check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp copy;
    if (s % 2 == 0) {
        bsp_dup(bsp, &copy);
        bsp_send(&copy, (s + 1) % p, &s, (int)sizeof s);
        bsp_oblsync(&copy, 1);
    } else {
        bsp_send(bsp, (s + 1) % p, &s, (int)sizeof s);
        bsp_oblsync(bsp, 1);
    }
}
