/* ok: bsp_gsend sends the same to each processor of a list, to none, and to one several times. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int *all = malloc((size_t)p * sizeof *all), twice[2] = {(s + 1) % p, (s + 1) % p};
    CHECK(all != NULL);
    for (int to = 0; to < p; to++) {
        all[to] = to;
    }
    bsp_gsend(bsp, p, all, &s, sizeof s);
    bsp_gsend(bsp, 0, NULL, &s, sizeof s);
    bsp_gsend(bsp, 2, twice, &p, sizeof p);
    free(all);
    bsp_sync(bsp);
    CHECK(bsp_nmsgs(bsp) == p + 2);
    for (int from = 0; from < p; from++) {
        CHECK(*(int *)bspmsg_data(bsp_findmsg(bsp, from, 0)) == from);
    }
    CHECK(*(int *)bspmsg_data(bsp_findmsg(bsp, (s + p - 1) % p, 2)) == p);
}
