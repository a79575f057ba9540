/* ok: collectives of some processors, which overlap in a ring, while the superstep goes on. */
#include "check.h"

static void append(void *result, const void *left, const void *right, int size)
{
    long joined = *(const long *)left * 100 + *(const long *)right;
    (void)size;
    *(long *)result = joined;
}

typedef struct {
    long reduced;
    long prefix;
    long word;
} results;

/* Of processors `first` and the next one; `own` is changed before the superstep ends. */
static void start(t_bsp *bsp, int p, int first, long own, results *its)
{
    int members[2] = {first, (first + 1) % p}, count = p > 1 ? 2 : 1;
    bsp_greduce(bsp, count, members, append, &own, &its->reduced, sizeof own);
    bsp_gscan(bsp, count, members, append, &own, &its->prefix, sizeof own);
    its->word = own;
    bsp_gbcast(bsp, count, members, members[count - 1], &its->word, sizeof own);
    its->word = -1;
    own = -1;
}

static void behave(t_bsp *bsp, int p, int s)
{
    int left = (s + p - 1) % p, right = (s + 1) % p;
    for (long superstep = 1; superstep < 4; superstep++) {
        results with_right, with_left;
        int lower = s < left ? s : left;
        start(bsp, p, lower, s + superstep, lower == s ? &with_right : &with_left);
        start(bsp, p, s + left - lower, s + superstep, lower == s ? &with_left : &with_right);
        if (superstep == 2) {
            bsp_send(bsp, s, &s, sizeof s);
            bsp_oblsync(bsp, 1);
        } else {
            bsp_sync(bsp);
        }
        long own = s + superstep, before = left + superstep, after = right + superstep;
        CHECK(with_right.reduced == (p > 1 ? own * 100 + after : own) && with_right.prefix == own && with_right.word == after);
        CHECK(with_left.reduced == (p > 1 ? before * 100 + own : own) && with_left.word == own);
        CHECK(with_left.prefix == with_left.reduced);
    }
}
