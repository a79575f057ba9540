/* ok: without messages the queue says so, each time it is asked. */
#include "check.h"

static void behave(int p, int s)
{
    int messages = 5, bytes = 5, status = 5;
    void *tag = NULL, *payload = NULL;
    for (int round = 0; round < 2; round++) {
        bsp_qsize(&messages, &bytes);
        bsp_get_tag(&status, NULL);
        CHECK(messages == 0 && bytes == 0 && status == -1 && bsp_hpmove(&tag, &payload) == -1);
        bsp_sync();
    }
    CHECK(p > s);
}
