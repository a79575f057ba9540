/* ok: where puts or gets overlap, those of the higher number are written last. */
#include "check.h"

static void behave(int p, int s)
{
    int *area = calloc((size_t)p + 1, sizeof *area), own[2] = {s, s}, got[65];
    bsp_push_reg(area, (p + 1) * (int)sizeof *area);
    bsp_push_reg(own, sizeof own);
    bsp_sync();
    for (int round = 0; round < 20; round++) {
        bsp_put(0, own, area, s * (int)sizeof *own, sizeof own);
        for (int from = 0; from < p && p <= 64; from++) {
            bsp_get(from, own, 0, &got[from], sizeof own);
        }
        bsp_sync();
        for (int at = 0; at <= p && p <= 64; at++) {
            int last = at < p ? at : p - 1;
            CHECK(got[at] == last && (s != 0 || area[at] == last));
        }
        memset(area, 0, ((size_t)p + 1) * sizeof *area);
    }
    free(area);
}
