/* ok: messages of megabytes come whole. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    enum { COUNT = 1 << 20 };
    int *values = malloc(COUNT * sizeof *values);
    CHECK(values != NULL);
    for (int at = 0; at < COUNT; at++) {
        values[at] = at ^ s;
    }
    bsp_send(bsp, (s + 1) % p, values, COUNT * (int)sizeof *values);
    bsp_hpsend(bsp, (s + p - 1) % p, values, COUNT * (int)sizeof *values);
    bsp_sync(bsp);
    for (int index = 0; index < 2; index++) {
        const int *came = bspmsg_data(bsp_getmsg(bsp, index));
        int from = bspmsg_src(bsp_getmsg(bsp, index));
        for (int at = 0; at < COUNT; at++) {
            CHECK(came[at] == (at ^ from));
        }
    }
    free(values);
}
