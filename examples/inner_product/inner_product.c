/* inner_product.c: the inner product of two vectors with BSPlib. Each processor has every P-th element of both; it adds up the
 * products of its own and puts the sum to all others. Vectors of 1, 2, ..., n have a product that is known: n(n + 1)(2n + 1)/6.
 *
 *     inner_product       one size, or with CALL all sizes of the sampling loop
 *     inner_product N     vectors of N elements
 */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel BSPLIB procs = 1:32:2

/* Sizes of the sampling loop in main. Sums up to the largest one are exact in a double. */
#define SMALLEST 1024
#define LARGEST 262144

/* Products of each size. */
#define REPETITIONS 5

static double product_of_own(int count, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* The sum of what each processor has, on all of them. */
static double sum_of_all(double own, double *all)
{
    double sum = 0;
    for (int to = 0; to < bsp_nprocs(); to++) {
        bsp_put(to, &own, all, bsp_pid() * (int)sizeof own, sizeof own);
    }
    bsp_sync();
    for (int from = 0; from < bsp_nprocs(); from++) {
        sum += all[from];
    }
    return sum;
}

/* Elements of a vector of n on this processor. */
static int own_count(int n)
{
    return (n + bsp_nprocs() - 1 - bsp_pid()) / bsp_nprocs();
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    int n = argc > 1 ? atoi(argv[1]) : SMALLEST, largest = argc > 1 ? n : LARGEST, status = 0;
    if (n < 1 || n > LARGEST) {
        bsp_abort("usage: inner_product [N], N from 1 to %d\n", LARGEST);
    }
    size_t room = (size_t)own_count(largest) + 1;
    double *x = malloc(2 * room * sizeof *x), *y = x + room;
    double *all = malloc((size_t)bsp_nprocs() * sizeof *all);
    if (x == NULL || all == NULL) {
        bsp_abort("inner_product: no memory for vectors of %d elements\n", largest);
    }
    bsp_push_reg(all, bsp_nprocs() * (int)sizeof *all);
    bsp_sync();

#pragma cll for(; n <= largest; n *= 2)
    int count = own_count(n), wrong = 0;
    double wanted = n * (n + 1.0) * (2.0 * n + 1) / 6;
    for (int i = 0; i < count; i++) {
        x[i] = y[i] = bsp_pid() + 1 + (double)i * bsp_nprocs();
    }
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll sync product product[0] + product[1]*P + product[2]*n/P
#pragma cll own own[0] + own[1]*n/P
        double sum = product_of_own(count, x, y);
#pragma cll end own
#pragma cll sum sum[0] + sum[1]*P
        sum = sum_of_all(sum, all);
#pragma cll end sum
#pragma cll end product
        wrong |= sum != wanted;
    }
    if (bsp_pid() == 0) {
        printf("N = %d, P = %d: product %.0f, %s\n", n, bsp_nprocs(), wanted, wrong ? "wrong" : "right");
    }
    status |= wrong;
#pragma cll end for
#pragma cll report all

    bsp_pop_reg(all);
    free(all);
    free(x);
    bsp_end();
    return status;
}
