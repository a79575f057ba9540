/* ok: tags of 4 and 8 bytes are aligned for what they hold, after payloads of any size. */
#include "check.h"

static void behave(int p, int s)
{
    int size = 8, length;
    double tag = 1.5 + s;
    char payload[40] = {0};
    bsp_set_tagsize(&size);
    bsp_sync();
    for (int bytes = 0; bytes < 40; bytes++) {
        bsp_send((s + 1) % p, &tag, payload, bytes);
    }
    bsp_sync();
    void *its_tag, *its_payload;
    for (int bytes = 0; bytes < 40; bytes++) {
        length = bsp_hpmove(&its_tag, &its_payload);
        CHECK(length >= 0 && (size_t)its_tag % 8 == 0 && (size_t)its_payload % 16 == 0);
        CHECK(*(double *)its_tag == 1.5 + (s + p - 1) % p);
    }
    CHECK(bsp_hpmove(&its_tag, &its_payload) == -1);
}
