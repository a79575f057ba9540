/* ok: bsp_move copies no more than it may and takes the whole message. */
#include "check.h"

static void behave(int p, int s)
{
    int payload[3] = {1, 2, 3}, place[3] = {-1, -1, -1}, messages, bytes;
    bsp_send((s + 1) % p, NULL, payload, sizeof payload);
    bsp_sync();
    bsp_move(place, sizeof(int) + 1);
    CHECK(place[0] == 1 && place[2] == -1);
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 0 && bytes == 0);
}
