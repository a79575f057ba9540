/* fails with "processor 0 in bsp_oblsync, superstep 3, with 1 of 2 messages; processor 1 in bsp_oblsync, superstep 3, with 1 of 2 messages" from 2 processors:
 * after two supersteps that go well each gets one message and waits for two. */
#include "../pub/check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int superstep = 1; superstep <= 3; superstep++) {
        bsp_send(bsp, (s + 1) % p, &s, (int)sizeof s);
        bsp_oblsync(bsp, superstep < 3 ? 1 : 2);
    }
}
