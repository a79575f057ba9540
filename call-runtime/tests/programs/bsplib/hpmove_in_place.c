/* ok: bsp_hpmove gives aligned places that stay until the next synchronisation. */
#include "check.h"

static void behave(int p, int s)
{
    struct tag { long double real; int whole; } tag = {0.25L * s, s};
    int size = sizeof tag, right = (s + 1) % p, left = (s + p - 1) % p, count = 0, length;
    struct tag *tags[3];
    long double *payloads[3];
    bsp_set_tagsize(&size);
    bsp_sync();
    for (int at = 0; at < 3; at++) {
        long double payload[3] = {at, at + 1, at + 2};
        bsp_send(right, &tag, payload, (at + 1) * (int)sizeof *payload);
    }
    bsp_sync();
    void *its_tag, *its_payload;
    while ((length = bsp_hpmove(&its_tag, &its_payload)) >= 0) {
        CHECK((size_t)its_tag % 16 == 0 && (size_t)its_payload % 16 == 0);
        CHECK(length == (count + 1) * (int)sizeof(long double));
        tags[count] = its_tag;
        payloads[count++] = its_payload;
    }
    CHECK(count == 3);
    for (int at = 0; at < 3; at++) {
        CHECK(tags[at]->whole == left && tags[at]->real == 0.25L * left);
        CHECK(payloads[at][0] == at && payloads[at][at] == 2 * at);
    }
}
