/* ok: bsp_qsize of the modern dialect may be asked for the number of messages alone. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_nprocs_t messages = 0;
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
    bsp_sync();
    bsp_qsize(&messages, NULL);
    CHECK(messages == 1);
}
