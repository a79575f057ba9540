/* Any number of processors: puts, gets, copies of machines, messages to several and collectives of PUB; says `ok`. */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "pub_whole.c:%d: not so: %s\n", __LINE__, #condition); \
            exit(9);                                                                  \
        }                                                                             \
    } while (0)

/* Not commutative: what is before, digit by digit, stays before. */
typedef struct {
    long long value;
    long long weight;
} digits;

static void append(void *result, const void *left, const void *right, int size)
{
    digits a, b, both;
    CHECK(size == (int)sizeof a);
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    both.value = a.value * b.weight + b.value;
    both.weight = a.weight * b.weight;
    memcpy(result, &both, sizeof both);
}

static long long digits_up_to(int last)
{
    long long value = 0;
    for (int digit = 0; digit <= last; digit++) {
        value = value * 10 + digit;
    }
    return value;
}

static void check_memory(t_bsp *bsp)
{
    int p = bsp_nprocs(bsp), s = bsp_pid(bsp), right = (s + 1) % p, left = (s + p - 1) % p;
    int area[3] = {-1, -1, s}, mine = s, copies[2] = {-1, -1};
    bsp_push_reg(bsp, area, sizeof area);
    bsp_sync(bsp);
    bsp_put(bsp, right, &mine, area, 0, sizeof mine);
    bsp_hpput(bsp, right, &mine, area, sizeof mine, sizeof mine);
    bsp_get(bsp, right, area, 0, &copies[0], sizeof mine);
    bsp_hpget(bsp, right, area, 2 * sizeof mine, &copies[1], sizeof mine);
    bsp_send(bsp, right, &mine, sizeof mine);
    bsp_sync(bsp);
    CHECK(area[0] == left && area[1] == left && copies[0] == -1 && copies[1] == right);
    CHECK(bsp_nmsgs(bsp) == 1 && bspmsg_size(bsp_getmsg(bsp, 0)) == (int)sizeof mine);
    bsp_pop_reg(bsp, area);
    bsp_sync(bsp);
}

static void check_collectives(t_bsp *bsp)
{
    int p = bsp_nprocs(bsp), s = bsp_pid(bsp);
    digits own = {s, 10}, result = {-1, -1};
    for (int root = 0; root < p; root++) {
        int value = s == root ? 100 + root : -1;
        bsp_bcast(bsp, root, &value, sizeof value);
        CHECK(value == 100 + root);
    }
    bsp_reduce(bsp, append, &own, &result, sizeof own);
    CHECK(result.value == digits_up_to(p - 1));
    bsp_scan(bsp, append, &own, &result, sizeof own);
    CHECK(result.value == digits_up_to(s));
    bsp_reduce(bsp, append, &own, &own, sizeof own);
    CHECK(own.value == digits_up_to(p - 1));
}

static void check_several(t_bsp *bsp)
{
    int p = bsp_nprocs(bsp), s = bsp_pid(bsp);
    int *all = malloc((size_t)p * sizeof *all);
    CHECK(all != NULL);
    for (int to = 0; to < p; to++) {
        all[to] = to;
    }
    bsp_gsend(bsp, s == 0 ? p : 0, all, &p, sizeof p);
    bsp_oblsync(bsp, 1);
    CHECK(bspmsg_src(bsp_getmsg(bsp, 0)) == 0);
    free(all);
}

int main(int argc, char **argv)
{
    t_bsp bsp, copy, part;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int p = bsp_nprocs(&bsp), s = bsp_pid(&bsp), ends[2];
    check_memory(&bsp);
    bsp_send(&bsp, s, &s, sizeof s); /* of the outer machine's superstep, which goes on */
    bsp_dup(&bsp, &copy);
    CHECK(bsp_nprocs(&copy) == p && bsp_pid(&copy) == s);
    check_memory(&copy);
    check_collectives(&copy);
    check_several(&copy);
    bsp_done(&copy);
    if (p > 1) {
        ends[0] = (p + 1) / 2;
        ends[1] = p;
        bsp_partition(&bsp, &part, 2, ends);
        check_memory(&part);
        check_collectives(&part);
        bsp_done(&part);
    }
    bsp_sync(&bsp);
    CHECK(bsp_nmsgs(&bsp) == 1);
    check_memory(&bsp);
    bsplib_done();
    if (s == 0) {
        puts("ok");
    }
    return 0;
}
