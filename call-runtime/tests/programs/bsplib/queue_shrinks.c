/* ok: bsp_qsize tells what is left, whenever it is asked. */
#include "check.h"

static void behave(int p, int s)
{
    char payload[6] = {0};
    int messages, bytes;
    for (int size = 1; size <= 3; size++) {
        bsp_send((s + 1) % p, NULL, payload, size);
    }
    bsp_sync();
    bsp_move(payload, 6);
    bsp_qsize(&messages, &bytes);
    int left = bytes;
    CHECK(messages == 2 && bytes >= 3 && bytes <= 5);
    bsp_move(payload, 0);
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 1);
    bsp_qsize(&messages, &bytes);
    CHECK(bytes < left);
}
