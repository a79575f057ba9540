/* fails with "in bsp_oblsync, superstep 2, with 1 of 2 messages" from 4 processors: within a part that has had a superstep the last
 * processor waits for one message too many, and all others are done with their parts. */
#include "../pub/check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[2] = {p / 2, p};
    t_bsp part;
    bsp_partition(bsp, &part, 2, ends);
    bsp_sync(&part);
    bsp_send(&part, bsp_pid(&part), &s, (int)sizeof s);
    bsp_oblsync(&part, s == p - 1 ? 2 : 1);
    bsp_done(&part);
    bsp_sync(bsp);
}
