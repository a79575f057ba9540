/* ok: a tag may be larger than its payload. */
#include "check.h"

static void behave(int p, int s)
{
    unsigned char tag[1000], came[1000];
    int size = sizeof tag, status;
    bsp_set_tagsize(&size);
    bsp_sync();
    memset(tag, s + 1, sizeof tag);
    bsp_send((s + 1) % p, tag, &s, 1);
    bsp_sync();
    bsp_get_tag(&status, came);
    CHECK(status == 1);
    for (int at = 0; at < 1000; at++) {
        CHECK(came[at] == (s + p - 1) % p + 1);
    }
}
