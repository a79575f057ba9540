/* ok: bsp_reduce and bsp_scan combine in the order of the processors. */
#include "check.h"

typedef struct {
    long factor, summand;
} line;

static void after(void *result, const void *left, const void *right, int size)
{
    line a, b, both;
    memcpy(&a, left, (size_t)size);
    memcpy(&b, right, (size_t)size);
    both.factor = a.factor * b.factor;
    both.summand = a.summand * b.factor + b.summand;
    memcpy(result, &both, (size_t)size);
}

static void behave(t_bsp *bsp, int p, int s)
{
    /* 2x + 1 and its like do not commute. */
    line own = {s + 2, s}, all = {0, 0}, before = {0, 0}, wanted = {1, 0};
    for (int from = 0; from <= s; from++) {
        line next = {from + 2, from};
        after(&wanted, &wanted, &next, sizeof wanted);
    }
    bsp_scan(bsp, after, &own, &before, sizeof own);
    CHECK(before.factor == wanted.factor && before.summand == wanted.summand);
    bsp_reduce(bsp, after, &own, &all, sizeof own);
    bsp_bcast(bsp, p - 1, &before, sizeof before);
    CHECK(all.factor == before.factor && all.summand == before.summand);
}
