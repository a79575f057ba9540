/* ok: the data of a message is aligned for every type, whatever the sizes around it. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    static const char bytes[100];
    for (int size = 0; size < 100; size++) {
        bsp_send(bsp, (s + 1) % p, bytes, size);
    }
    bsp_sync(bsp);
    for (int size = 0; size < 100; size++) {
        CHECK(bspmsg_size(bsp_getmsg(bsp, size)) == size);
        CHECK((size_t)bspmsg_data(bsp_getmsg(bsp, size)) % 16 == 0);
    }
}
