/* ok: each processor puts one number to each. */
#include "check.h"

static void behave(int p, int s)
{
    int *area = calloc((size_t)p, sizeof *area);
    CHECK(area != NULL);
    bsp_push_reg(area, p * (int)sizeof *area);
    bsp_sync();
    for (int to = 0; to < p; to++) {
        int value = 100 * s + to;
        bsp_put(to, &value, area, s * (int)sizeof value, sizeof value);
    }
    bsp_sync();
    for (int from = 0; from < p; from++) {
        CHECK(area[from] == 100 * from + s);
    }
    free(area);
}
