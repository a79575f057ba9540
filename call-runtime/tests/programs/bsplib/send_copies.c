/* ok: bsp_send copies tag and payload at the call. */
#include "check.h"

static void behave(int p, int s)
{
    int size = sizeof(int), tag = s, payload = 10 * s, status, right = (s + 1) % p, left = (s + p - 1) % p;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_send(right, &tag, &payload, sizeof payload);
    tag = payload = -1;
    bsp_sync();
    bsp_get_tag(&status, &tag);
    bsp_move(&payload, sizeof payload);
    CHECK(status == (int)sizeof payload && tag == left && payload == 10 * left);
}
