/* ok: blocks of megabytes are put and got whole. */
#include "check.h"

static void behave(int p, int s)
{
    enum { COUNT = 700001 };
    int *area = malloc(COUNT * sizeof *area), *mine = malloc(COUNT * sizeof *mine), *copy = calloc(COUNT, sizeof *copy);
    CHECK(area != NULL && mine != NULL && copy != NULL);
    for (int at = 0; at < COUNT; at++) {
        mine[at] = at * 3 + s;
    }
    bsp_push_reg(area, COUNT * sizeof *area);
    bsp_push_reg(mine, COUNT * sizeof *mine);
    bsp_sync();
    bsp_put((s + 1) % p, mine, area, 0, COUNT * sizeof *mine);
    bsp_get((s + 1) % p, mine, 0, copy, COUNT * sizeof *mine);
    bsp_sync();
    for (int at = 0; at < COUNT; at++) {
        CHECK(area[at] == at * 3 + (s + p - 1) % p);
        CHECK(copy[at] == at * 3 + (s + 1) % p);
    }
    free(area);
    free(mine);
    free(copy);
}
