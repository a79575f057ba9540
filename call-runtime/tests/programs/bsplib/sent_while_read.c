/* ok: messages of the next superstep can be sent while those of the last are read. */
#include "check.h"

static void behave(int p, int s)
{
    int value = s, came, messages, bytes;
    bsp_send((s + 1) % p, NULL, &value, sizeof value);
    for (int round = 0; round < 100; round++) {
        bsp_sync();
        value = -1;
        bsp_send((s + 1) % p, NULL, &value, 0);
        bsp_qsize(&messages, &bytes);
        CHECK(messages == (round == 0 ? 1 : 2));
        for (; messages > 0; messages--) {
            int status;
            bsp_get_tag(&status, NULL);
            bsp_move(&came, sizeof came);
            if (status > 0) {
                bsp_send((s + 1) % p, NULL, &came, sizeof came);
            }
        }
    }
    CHECK(came == (s + 100 * (p - 1)) % p);
    bsp_sync();
}
