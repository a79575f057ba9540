/* ok: bsp_hpmove and bsp_move take from one queue; what bsp_hpmove gave stays. */
#include "check.h"

static void behave(int p, int s)
{
    char bytes[1000];
    void *tag, *payload;
    memset(bytes, 'a' + s, sizeof bytes);
    for (int number = 0; number < 3; number++) {
        bsp_send((s + 1) % p, NULL, bytes, sizeof bytes);
    }
    bsp_sync();
    CHECK(bsp_hpmove(&tag, &payload) == (int)sizeof bytes);
    bsp_move(bytes, sizeof bytes);
    bsp_move(bytes, 10);
    CHECK(bsp_hpmove(&tag, &tag) == -1);
    memset(bytes, 0, sizeof bytes);
    bsp_send((s + 1) % p, NULL, bytes, sizeof bytes);
    for (int at = 0; at < 1000; at++) {
        CHECK(((char *)payload)[at] == 'a' + (s + p - 1) % p);
    }
    bsp_sync();
}
