/* ok: functions can be handed over by their addresses. */
#include "check.h"

static void behave(int p, int s)
{
    void (*sync)(void) = bsp_sync;
    int (*count)(void) = bsp_nprocs;
    void (*send)(int, const void *, const void *, int) = &bsp_send;
    int messages, bytes;
    send(s, NULL, &s, sizeof s);
    sync();
    bsp_qsize(&messages, &bytes);
    CHECK(count() == p && messages == 1);
}
