/* ok: bsp_send takes the data as it is at the call. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int value = s;
    bsp_send(bsp, (s + 1) % p, &value, sizeof value);
    value = -1;
    bsp_sync(bsp);
    CHECK(*(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == (s + p - 1) % p);
    CHECK(value == -1);
}
