/* ok: hundreds of areas come and go. */
#include "check.h"

static void behave(int p, int s)
{
    static int areas[600];
    for (int round = 0; round < 4; round++) {
        for (int at = 0; at < 600; at++) {
            areas[at] = -1;
            bsp_push_reg(&areas[at], sizeof areas[at]);
        }
        bsp_sync();
        for (int at = round; at < 600; at += 7) {
            int value = 1000 * s + at;
            bsp_put((s + 1) % p, &value, &areas[at], 0, sizeof value);
        }
        for (int at = 0; at < 600; at++) {
            bsp_pop_reg(&areas[(at * 7 + round) % 600]);
        }
        bsp_sync();
        for (int at = 0; at < 600; at++) {
            CHECK(areas[at] == (at % 7 == round ? 1000 * ((s + p - 1) % p) + at : -1));
        }
    }
}
