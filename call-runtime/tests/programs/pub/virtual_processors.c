/* ok: virtual processors have numbers, messages, puts, collectives and parts of their own. */
#include "check.h"

#include <stdlib.h>

static void add(void *result, const void *left, const void *right, int size)
{
    (void)size;
    *(int *)result = *(const int *)left + *(const int *)right;
}

static void live(t_bsp *bsp, void *parameter)
{
    int p = bsp_nprocs(bsp), s = bsp_pid(bsp), total = -1, left = -1;
    int *sums = parameter;
    CHECK(s >= 0 && s < p);
    bsp_push_reg(bsp, &left, sizeof left);
    bsp_sync(bsp);
    for (int superstep = 0; superstep < 5; superstep++) {
        for (int to = 0; to < p; to++) {
            bsp_send(bsp, to, &s, sizeof s);
        }
        bsp_put(bsp, (s + 1) % p, &s, &left, 0, sizeof s);
        bsp_sync(bsp);
        CHECK(bsp_nmsgs(bsp) == p && left == (s + p - 1) % p);
        for (int from = 0; from < p; from++) {
            CHECK(bspmsg_src(bsp_getmsg(bsp, from)) == from && *(int *)bspmsg_data(bsp_getmsg(bsp, from)) == from);
        }
    }
    bsp_reduce(bsp, add, &s, &total, sizeof s);
    CHECK(total == p * (p - 1) / 2);
    int got = -1;
    bsp_get(bsp, (s + 1) % p, &left, 0, &got, sizeof got);
    bsp_sync(bsp);
    CHECK(got == s);
    bsp_send(bsp, (s + 3) % p, &s, sizeof s);
    bsp_oblsync(bsp, 1);
    CHECK(*(int *)bspmsg_data(bsp_getmsg(bsp, 0)) == (s + p - 3 % p) % p);
    if (p > 1) {
        t_bsp part;
        int ends[2] = {1, p};
        bsp_partition(bsp, &part, 2, ends);
        int size = bsp_nprocs(&part), own = bsp_pid(&part);
        CHECK(size == (s == 0 ? 1 : p - 1));
        bsp_send(&part, (own + 1) % size, &own, sizeof own);
        bsp_sync(&part);
        CHECK(*(int *)bspmsg_data(bsp_getmsg(&part, 0)) == (own + size - 1) % size);
        bsp_done(&part);
    }
    *sums += s;
    bsp_migrate_done(bsp);
}

static void behave(t_bsp *bsp, int p, int s)
{
    for (int count = 1; count <= 4; count++) {
        int sum = 0, wanted = 0;
        bsp_migrate_dup(bsp, count, live, &sum, 1);
        for (int number = 0; number < count; number++) {
            wanted += s * count + number;
        }
        CHECK(sum == wanted && bsp_nprocs(bsp) == p && bsp_pid(bsp) == s);
        bsp_send(bsp, s, &sum, sizeof sum);
        bsp_sync(bsp);
        CHECK(bsp_nmsgs(bsp) == 1);
    }
}
