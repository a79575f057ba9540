/* ok: sections one after another, each on as many processors as took part in the one before, at most. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int parts = 0, left = -1, tag_bytes = sizeof parts, messages, bytes;
    for (int wanted = bsp_nprocs(); wanted > 0; wanted = wanted / 2) {
        bsp_begin(parts == 0 ? INT_MAX : wanted);
        int p = bsp_nprocs(), s = bsp_pid();
        CHECK(p == wanted);
        bsp_qsize(&messages, &bytes);
        CHECK(messages == 0);
        bsp_push_reg(&left, sizeof left);
        bsp_set_tagsize(&tag_bytes);
        CHECK(tag_bytes == 0);
        tag_bytes = sizeof parts;
        bsp_sync();
        bsp_put((s + 1) % p, &s, &left, 0, sizeof s);
        bsp_send(0, &s, NULL, 0);
        bsp_sync();
        CHECK(left == (s + p - 1) % p);
        bsp_qsize(&messages, &bytes);
        CHECK(messages == (s == 0 ? p : 0));
        bsp_end();
        CHECK(bsp_nprocs() == p);
        parts++;
        if (s == 0 && wanted == 1) {
            puts("ok");
        }
    }
    return 0;
}
