/* ok: a message of bsp_createmsg is written where it is and comes in the order in which it was sent. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bspmsg *large = bsp_createmsg(bsp, 100000), *empty = bsp_createmsg(bsp, 0);
    char *bytes = bspmsg_data(large);
    CHECK(bspmsg_size(large) == 100000 && bspmsg_size(empty) == 0 && bspmsg_src(large) == -1);
    CHECK((size_t)bytes % 16 == 0 && bytes[0] == 0 && bytes[99999] == 0);
    bsp_send(bsp, (s + 1) % p, "first", 6);
    memset(bytes, 'a' + s, 100000);
    bsp_sendmsg(bsp, (s + 1) % p, large);
    bsp_send(bsp, (s + 1) % p, "third", 6);
    bsp_sendmsg(bsp, (s + 1) % p, empty);
    bsp_send(bsp, (s + 1) % p, "fifth", 6);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == 5);
    CHECK(strcmp(bspmsg_data(bsp_getmsg(bsp, 0)), "first") == 0);
    CHECK(strcmp(bspmsg_data(bsp_getmsg(bsp, 2)), "third") == 0);
    CHECK(strcmp(bspmsg_data(bsp_getmsg(bsp, 4)), "fifth") == 0);
    large = bsp_getmsg(bsp, 1);
    bytes = bspmsg_data(large);
    CHECK(bspmsg_size(large) == 100000 && bspmsg_src(large) == (s + p - 1) % p && bspmsg_size(bsp_getmsg(bsp, 3)) == 0);
    for (int at = 0; at < 100000; at++) {
        CHECK(bytes[at] == 'a' + (s + p - 1) % p);
    }
}
