/* ok: messages that were not read are gone after the next synchronisation. */
#include "check.h"

static void behave(int p, int s)
{
    int messages, bytes, status = 5;
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 0);
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 1 && bytes == (int)sizeof s);
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 0 && bytes == 0);
    bsp_get_tag(&status, NULL);
    CHECK(status == -1);
}
