/* ok: each processor gets a message from each, itself included. */
#include "check.h"

static void behave(int p, int s)
{
    int size = sizeof(int), messages, bytes, seen = 0;
    bsp_set_tagsize(&size);
    bsp_sync();
    for (int to = 0; to < p; to++) {
        int payload = 100 * s + to;
        bsp_send(to, &s, &payload, sizeof payload);
    }
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    CHECK(messages == p && bytes == p * (int)sizeof(int));
    for (int at = 0; at < p; at++) {
        int from, payload, status;
        bsp_get_tag(&status, &from);
        bsp_move(&payload, sizeof payload);
        CHECK(payload == 100 * from + s);
        seen |= 1 << from;
    }
    CHECK(seen == (1 << p) - 1);
}
