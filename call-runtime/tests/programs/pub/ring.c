/* ok: a token goes around a ring, each processor ending its own supersteps. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int value = 1;
    for (int step = 0; step < 3 * p; step++) {
        if (step % p == s) {
            bsp_send(bsp, (s + 1) % p, &value, sizeof value);
        }
        int is_next = (step + 1) % p == s;
        bsp_oblsync(bsp, is_next);
        if (is_next) {
            value = *(int *)bspmsg_data(bsp_getmsg(bsp, 0)) + 1;
        }
    }
    CHECK(s != 0 || value == 3 * p + 1);
}
