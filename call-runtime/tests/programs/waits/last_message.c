/* ok: messages are on their way from a processor that has ended, and the one that they go to computes before it waits for them. */
#include "../pub/check.h"

#include <unistd.h>

enum { LARGE = 8 << 20 };

static void behave(t_bsp *bsp, int p, int s)
{
    if (s == p - 1) {
        char *large = calloc(LARGE, 1);
        bsp_send(bsp, 0, large, LARGE);
        bsp_send(bsp, 0, &s, (int)sizeof s);
        free(large);
    }
    if (s == 0) {
        usleep(1500000);
    }
    bsp_oblsync(bsp, s == 0 ? 2 : 0);
    if (s == 0) {
        CHECK(bspmsg_size(bsp_getmsg(bsp, 0)) == LARGE && *(int *)bspmsg_data(bsp_getmsg(bsp, 1)) == p - 1);
    }
}
