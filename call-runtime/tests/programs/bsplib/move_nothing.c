/* ok: bsp_move of 0 bytes takes the message off the queue. */
#include "check.h"

static void behave(int p, int s)
{
    int messages, bytes;
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
    bsp_sync();
    bsp_move(NULL, 0);
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 0 && bytes == 0);
}
