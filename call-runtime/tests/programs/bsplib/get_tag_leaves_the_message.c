/* ok: bsp_get_tag looks at the first message as often as one likes. */
#include "check.h"

static void behave(int p, int s)
{
    int size = sizeof(int), tag = s, status, messages, bytes, payload = -1;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_send((s + 1) % p, &tag, &tag, sizeof tag);
    bsp_sync();
    for (int round = 0; round < 3; round++) {
        tag = -1;
        bsp_get_tag(&status, &tag);
        CHECK(status == (int)sizeof payload && tag == (s + p - 1) % p);
        bsp_qsize(&messages, &bytes);
        CHECK(messages == 1 && bytes == (int)sizeof payload);
    }
    bsp_move(&payload, status);
    CHECK(payload == tag);
}
