/* ok: prefix sums in logarithmically many supersteps with bsp_put. */
#include "check.h"

static int prefix_sum(int p, int s, int value)
{
    int left = 0, sum = value;
    bsp_push_reg(&left, sizeof left);
    bsp_sync();
    for (int distance = 1; distance < p; distance *= 2) {
        if (s + distance < p) {
            bsp_put(s + distance, &sum, &left, 0, sizeof sum);
        }
        bsp_sync();
        if (s >= distance) {
            sum += left;
        }
    }
    bsp_pop_reg(&left);
    return sum;
}

static void behave(int p, int s)
{
    CHECK(prefix_sum(p, s, s + 1) == (s + 1) * (s + 2) / 2);
    CHECK(prefix_sum(p, s, 1) == s + 1);
}
