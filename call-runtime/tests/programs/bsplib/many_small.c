/* ok: thousands of puts, gets and messages of all small sizes in one superstep. */
#include "check.h"

static void behave(int p, int s)
{
    enum { COUNT = 5000 };
    static unsigned char area[COUNT], mine[COUNT], copy[COUNT];
    for (int at = 0; at < COUNT; at++) {
        mine[at] = (unsigned char)(at * 7 + s);
    }
    bsp_push_reg(area, COUNT);
    bsp_push_reg(mine, COUNT);
    bsp_sync();
    for (int at = 0, size = 1; at < COUNT; at += size, size = size % 23 + 1) {
        size = at + size > COUNT ? COUNT - at : size;
        bsp_put((s + 1) % p, mine + at, area, at, size);
        bsp_get((s + 1) % p, mine, at, copy + at, size);
        bsp_send((s + 1) % p, NULL, mine + at, size);
    }
    bsp_sync();
    for (int at = 0; at < COUNT; at++) {
        CHECK(area[at] == (unsigned char)(at * 7 + (s + p - 1) % p));
        CHECK(copy[at] == (unsigned char)(at * 7 + (s + 1) % p));
    }
    int messages, bytes, total = 0;
    bsp_qsize(&messages, &bytes);
    CHECK(bytes == COUNT);
    while (messages-- > 0) {
        unsigned char payload[32];
        int status;
        bsp_get_tag(&status, NULL);
        bsp_move(payload, sizeof payload);
        total += status;
    }
    CHECK(total == COUNT);
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 0 && bytes == 0);
}
