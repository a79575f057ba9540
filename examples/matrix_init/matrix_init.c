/* matrix_init.c: the same matrix is set to zero in two orders: along columns, where each access is a row further, and along rows,
 * where each access is next to the last one. The same operations, the same formula, other constants.
 */
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel sequential

#define LARGEST 2048
#define ROUNDS 20

static double storage[LARGEST * LARGEST];

static void fill(int N)
{
    for (long k = 0; k < (long)N * N; k++) {
        storage[k] = (double)(k + 1);
    }
}

static void check(int N, const char *order)
{
    for (long k = 0; k < (long)N * N; k++) {
        if (storage[k] != 0) {
            fprintf(stderr, "matrix_init: %s: element %ld of a matrix of size %d is %g\n", order, k, N, storage[k]);
            exit(1);
        }
    }
}

/* The rounds and the largest size may be given. */
static int argument(int count, char **arguments, int number, int largest)
{
    int value = count > number ? atoi(arguments[number]) : largest;
    if (value < 1 || value > largest) {
        fprintf(stderr, "matrix_init: `%s` is no number from 1 to %d\n", arguments[number], largest);
        exit(1);
    }
    return value;
}

int main(int count, char **arguments)
{
    int rounds = argument(count, arguments, 1, ROUNDS), largest = argument(count, arguments, 2, LARGEST);
    int i, j, N = 512;

    fill(largest); /* the memory is there, and the processor has got up to speed */
    /* Rounds over all sizes: what disturbs the computer for a while hits one round of many sizes, not all of one. */
    for (int round = 0; round < rounds; round++) {
        #pragma cll for(N=32; N<=largest; N+=N/8)
        double(*a)[N] = (double(*)[N])storage; /* rows of N elements, one after another */
        fill(N);
        #pragma cll columns columns[0] + columns[1]*N + columns[2]*N*N
        for (j = 0; j < N; j++)
            for (i = 0; i < N; i++)
                a[i][j] = 0;
        #pragma cll end columns
        check(N, "columns");

        fill(N);
        #pragma cll rows rows[0] + rows[1]*N + rows[2]*N*N
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++)
                a[i][j] = 0;
        #pragma cll end rows
        check(N, "rows");
        #pragma cll end for
    }
    printf("both orders set every element, %d times for each size\n", rounds);
    #pragma cll report all
    return 0;
}
