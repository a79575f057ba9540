/* ok: processors are numbered from 0, and each number comes once. */
#include "check.h"

static void behave(int p, int s)
{
    int *seen = calloc((size_t)p, sizeof *seen), one = 1;
    CHECK(seen != NULL && p >= 1 && s >= 0 && s < p);
    bsp_push_reg(seen, p * (int)sizeof *seen);
    bsp_sync();
    bsp_put(0, &one, seen, s * (int)sizeof *seen, sizeof one);
    bsp_sync();
    for (int at = 0; s == 0 && at < p; at++) {
        CHECK(seen[at] == 1);
    }
    free(seen);
}
