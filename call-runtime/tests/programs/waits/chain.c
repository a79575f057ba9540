/* ok: a message goes twice round a ring, and each processor computes for a while before it sends the message on. */
#include "../pub/check.h"

#include <unistd.h>

static void behave(t_bsp *bsp, int p, int s)
{
    for (int step = 0; step < 2 * p; step++) {
        int to = (step + 1) % p;
        if (s == step % p) {
            usleep(1200000u / (unsigned)p);
            bsp_send(bsp, to, &step, (int)sizeof step);
        }
        bsp_oblsync(bsp, s == to ? 1 : 0);
        CHECK(s != to || *(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == step);
    }
}
