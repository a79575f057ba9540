/* ok: all processors send many messages to one. */
#include "check.h"

static void behave(int p, int s)
{
    int messages, bytes, sum = 0, wanted = 0;
    for (int number = 0; number < 500; number++) {
        int value = s + number;
        bsp_send(0, NULL, &value, sizeof value);
    }
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    CHECK(messages == (s == 0 ? 500 * p : 0) && bytes == messages * (int)sizeof(int));
    for (; messages > 0; messages--) {
        int value;
        bsp_move(&value, sizeof value);
        sum += value;
    }
    for (int from = 0; s == 0 && from < p; from++) {
        wanted += 500 * from + 499 * 250;
    }
    CHECK(sum == wanted);
}
