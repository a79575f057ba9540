/* broadcast.c: n numbers from processor 0 to all, in one superstep and in two, with BSPlib: the example of section 3.2 of Jarvis, Hill,
 * Siniolakis and Vasilev, "Portable and architecture independent parallel performance tuning using BSP". Every result is checked.
 *
 *     broadcast       one size, or with CALL all sizes of the sampling loop
 *     broadcast N     N numbers
 */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel BSPLIB procs = 2:32:2

/* Sizes of the sampling loop in main. */
#define SMALLEST 256
#define LARGEST 262144

/* Broadcasts of each kind and size. */
#define REPETITIONS 7

#define BYTES(count) ((count) * (int)sizeof(double))

/* Processor 0 puts all to each other processor. */
static void one_stage(int n, double *numbers)
{
    if (bsp_pid() == 0) {
        for (int to = 1; to < bsp_nprocs(); to++) {
            bsp_put(to, numbers, numbers, 0, BYTES(n));
        }
    }
    bsp_sync();
}

/* The numbers of one share, of which there is one for each processor, go to another processor. */
static void put_share(int share, int to, int n, double *numbers)
{
    int p = bsp_nprocs();
    int first = (int)((long long)n * share / p);
    int end = (int)((long long)n * (share + 1) / p);
    if (to != bsp_pid()) {
        bsp_put(to, numbers + first, numbers, BYTES(first), BYTES(end - first));
    }
}

/* Processor 0 puts one share to each, then each puts its share to all; processor 0 needs none. */
static void two_stage(int n, double *numbers)
{
    if (bsp_pid() == 0) {
        for (int to = 1; to < bsp_nprocs(); to++) {
            put_share(to, to, n, numbers);
        }
    }
    bsp_sync();
    for (int to = 1; to < bsp_nprocs(); to++) {
        put_share(bsp_pid(), to, n, numbers);
    }
    bsp_sync();
}

/* The numbers that processor 0 has in this round, and the others have not. */
static void fill(int n, double *numbers, int round)
{
    for (int i = 0; i < n; i++) {
        numbers[i] = bsp_pid() == 0 ? i + round : -1;
    }
}

static int count_wrong(int n, const double *numbers, int round)
{
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        wrong += numbers[i] != i + round;
    }
    return wrong;
}

/* The sum over all processors, on all of them. */
static int sum_of_all(int own, int *all)
{
    int sum = 0;
    for (int to = 0; to < bsp_nprocs(); to++) {
        bsp_put(to, &own, all, bsp_pid() * (int)sizeof own, sizeof own);
    }
    bsp_sync();
    for (int from = 0; from < bsp_nprocs(); from++) {
        sum += all[from];
    }
    return sum;
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    int n = argc > 1 ? atoi(argv[1]) : SMALLEST, largest = argc > 1 ? n : LARGEST, status = 0;
    if (n < 1 || n > 1 << 27) {
        bsp_abort("usage: broadcast [N], N from 1 to 134217728\n");
    }
    double *numbers = malloc((size_t)largest * sizeof *numbers);
    int *all = malloc((size_t)bsp_nprocs() * sizeof *all);
    if (numbers == NULL || all == NULL) {
        bsp_abort("broadcast: no memory for %d numbers\n", largest);
    }
    bsp_push_reg(numbers, BYTES(largest));
    bsp_push_reg(all, bsp_nprocs() * (int)sizeof *all);
    bsp_sync();

#pragma cll for(; n <= largest; n *= 2)
    int wrong = 0;
    for (int round = 0; round < REPETITIONS; round++) {
        fill(n, numbers, round);
#pragma cll sync one_stage one_stage[0] + one_stage[1]*P + one_stage[2]*n*(P - 1)
        one_stage(n, numbers);
#pragma cll end one_stage
        wrong += count_wrong(n, numbers, round);
        fill(n, numbers, round);
#pragma cll sync two_stage two_stage[0] + two_stage[1]*P + two_stage[2]*n*(P - 1)/P
        two_stage(n, numbers);
#pragma cll end two_stage
        wrong += count_wrong(n, numbers, round);
    }
    wrong = sum_of_all(wrong, all);
    if (bsp_pid() == 0) {
        printf("N = %d, P = %d: %d numbers wrong\n", n, bsp_nprocs(), wrong);
    }
    status |= wrong > 0;
#pragma cll end for
#pragma cll report all

    bsp_pop_reg(all);
    bsp_pop_reg(numbers);
    free(all);
    free(numbers);
    bsp_end();
    return status;
}
