/* ok: thousands of messages of all small sizes in one superstep. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    unsigned char bytes[64];
    for (int number = 0; number < 4000; number++) {
        memset(bytes, number % 251, sizeof bytes);
        bsp_send(bsp, (s + number) % p, bytes, number % 64);
    }
    bsp_sync(bsp);
    for (int from = 0; from < p; from++) {
        int index = 0;
        for (int number = 0; number < 4000; number++) {
            if ((from + number) % p == s) {
                t_bspmsg *message = bsp_findmsg(bsp, from, index++);
                const unsigned char *came = bspmsg_data(message);
                CHECK(bspmsg_size(message) == number % 64);
                for (int at = 0; at < number % 64; at++) {
                    CHECK(came[at] == number % 251);
                }
            }
        }
        CHECK(bsp_findmsg(bsp, from, index) == NULL);
    }
}
