/* ok: the inner product of 1..n and 1..n, partial sums by bsp_put to all. */
#include "check.h"

static double inner_product(int p, int s, int n, const double *x, const double *y)
{
    double *partial = calloc((size_t)p, sizeof *partial), sum = 0, total = 0;
    CHECK(partial != NULL);
    bsp_push_reg(partial, p * (int)sizeof *partial);
    bsp_sync();
    for (int at = 0; at < n; at++) {
        sum += x[at] * y[at];
    }
    for (int to = 0; to < p; to++) {
        bsp_put(to, &sum, partial, s * (int)sizeof sum, sizeof sum);
    }
    bsp_sync();
    for (int from = 0; from < p; from++) {
        total += partial[from];
    }
    bsp_pop_reg(partial);
    free(partial);
    return total;
}

static void behave(int p, int s)
{
    enum { N = 1000 };
    double x[N];
    int count = 0;
    for (int value = s + 1; value <= N; value += p) { /* cyclic */
        x[count++] = value;
    }
    CHECK(inner_product(p, s, count, x, x) == N * (N + 1.0) * (2.0 * N + 1) / 6);
    CHECK(inner_product(p, s, 1, x, x) == p * (p + 1.0) * (2.0 * p + 1) / 6); /* a second time, with new registrations */
}
