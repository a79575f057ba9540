/* ok: a message without a payload is a message. */
#include "check.h"

static void behave(int p, int s)
{
    int messages, bytes, status;
    bsp_send((s + 1) % p, NULL, NULL, 0);
    bsp_send((s + 1) % p, NULL, NULL, 0);
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 2 && bytes == 0);
    bsp_get_tag(&status, NULL);
    CHECK(status == 0);
    bsp_move(NULL, 0);
    bsp_move(NULL, 0);
    bsp_get_tag(&status, NULL);
    CHECK(status == -1);
}
