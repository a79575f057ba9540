/* ok: bsp_move writes no more than the message has. */
#include "check.h"

static void behave(int p, int s)
{
    int place[3] = {-1, -1, -1};
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
    bsp_sync();
    bsp_move(place, sizeof place);
    CHECK(place[0] == (s + p - 1) % p && place[1] == -1 && place[2] == -1);
}
