/* ok: messages in any order are told apart by their tags. */
#include "check.h"

static void behave(int p, int s)
{
    int size = sizeof(int), messages, bytes, seen = 0;
    bsp_set_tagsize(&size);
    bsp_sync();
    for (int number = 0; number < 10; number++) {
        int payload[10] = {0};
        bsp_send((s + 1) % p, &number, payload, number * (int)sizeof(int));
    }
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 10);
    while (messages-- > 0) {
        int status, number;
        bsp_get_tag(&status, &number);
        CHECK(status == number * (int)sizeof(int));
        seen |= 1 << number;
        bsp_move(NULL, 0);
    }
    CHECK(seen == 1023);
}
