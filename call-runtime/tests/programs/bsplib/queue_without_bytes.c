/* ok: bsp_qsize may be asked for the number of messages alone. */
#include "check.h"

static void behave(int p, int s)
{
    int messages = -1;
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
    bsp_sync();
    bsp_qsize(&messages, NULL);
    CHECK(messages == 1);
}
