/* ok: messages, puts and gets of one superstep do not mind each other. */
#include "check.h"

static void behave(int p, int s)
{
    int area = -1, got = -1, left = (s + p - 1) % p, right = (s + 1) % p, messages, bytes;
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_send(right, NULL, &s, sizeof s);
    bsp_put(right, &s, &area, 0, sizeof s);
    bsp_get(right, &area, 0, &got, sizeof got);
    bsp_send(right, NULL, &s, 0);
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 2 && bytes == (int)sizeof s && area == left && got == -1);
}
