/* ok: one processor computes for long while all others wait for its messages, each processor in turn that is the first or the last. */
#include "../pub/check.h"

#include <unistd.h>

static void behave(t_bsp *bsp, int p, int s)
{
    for (int who = 0; who < p; who += p > 1 ? p - 1 : 1) {
        if (s == who) {
            usleep(1500000);
            for (int other = 0; other < p; other++) {
                bsp_send(bsp, other, &s, (int)sizeof s);
            }
        }
        bsp_oblsync(bsp, 1);
        CHECK(*(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == who);
    }
}
