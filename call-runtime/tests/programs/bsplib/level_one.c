/* ok: the collective functions of Oxford's level 1 library. */
#include "check.h"
#include <bsp_level1.h>

/* Not commutative: the digits of the right one behind those of the left one. */
static void append(void *result, void *left, void *right, int *size)
{
    int joined = *(int *)left * 10 + *(int *)right;
    memcpy(result, &joined, (size_t)*size);
}

static void behave(int p, int s)
{
    int own = s + 1, all = 0, before = 0, came = -1, sum = p * (p + 1) / 2;
    int *table = calloc((size_t)p, sizeof *table), *digits = calloc((size_t)p, sizeof *digits);
    for (int processor = 0; processor < p; processor++) {
        digits[processor] = 5 * processor;
        all = all * 10 + processor + 1;
        before = processor == s ? all : before;
    }
    bsp_push_reg(&came, sizeof came);
    bsp_push_reg(table, p * (int)sizeof *table);
    bsp_push_reg(digits, p * (int)sizeof *digits);
    bsp_sync();
    bsp_bcast(p - 1, &own, &came, sizeof own);
    CHECK(came == p);
    bsp_gather(p / 2, &own, table, sizeof own);
    for (int processor = 0; processor < p; processor++) {
        CHECK(table[processor] == (s == p / 2 ? processor + 1 : 0));
    }
    bsp_scatter(p - 1, digits, &came, sizeof came);
    CHECK(came == 5 * s);
    bsp_fold(append, &own, &came, sizeof own);
    CHECK(came == all);
    bsp_scan(append, &own, &came, sizeof own);
    CHECK(came == before);
    CHECK(bsp_sumI(own) == sum && bsp_sumI_prefix(own) == (s + 1) * (s + 2) / 2);
    CHECK(bsp_sumD(0.5 * own) >= 0.5 * sum && bsp_sumR_prefix(1) >= (float)(s + 1));
    CHECK(bsp_productI(2) == 1 << p && bsp_productD_prefix(2) <= (double)(1 << (s + 1)));
    CHECK(bsp_minI(own) == 1 && bsp_maxI(own) == p && bsp_maxD_prefix(own) <= own && bsp_minR_prefix((float)own) <= 1);
    CHECK(bsp_any(s == p - 1) && bsp_all(own) && !bsp_all(s) && bsp_any_prefix(s == 0) && bsp_all_prefix(s == 0) == (s == 0));
    CHECK(bsp_constantI(p) && bsp_constantI(s) == (p == 1));
    CHECK(bsp_sortI(p - s) == s + 1 && bsp_sortC((char)('a' + p - 1 - s)) == 'a' + s);
    free(table);
    free(digits);
}
