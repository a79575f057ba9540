/* matrix_product.c: C = A B for dense square matrices, with the threads of OpenMP: each computes some rows of C. The elements are small
 * whole numbers, so that sums in any order are exact, and the check is as well.
 *
 *     matrix_product        matrices of SMALLEST rows, or with CALL of all sizes of the sampling loop
 *     matrix_product N      matrices of N rows
 */
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel OpenMP procs = 1:8:2

/* Sizes of the sampling loop in main. */
#define SMALLEST 64
#define LARGEST 512
#define STEP 64

/* Products of each size. The first one also pays for memory that is touched for the first time. */
#define REPETITIONS 5

/* So many rows of B meet all rows of C before the next ones do: 64 rows of 1000 numbers are half a megabyte, which a cache holds. */
#define BLOCK 64

/* The element of matrix `which` in row i and column k: one of -8 … 8, without a pattern that could hide a wrong index. */
static double element(unsigned which, int i, int k)
{
    unsigned mixed = (which << 30) + (unsigned)i * 32768 + (unsigned)k;
    mixed = (mixed ^ mixed >> 16) * 2246822519u;
    mixed = (mixed ^ mixed >> 13) * 3266489917u;
    return (int)((mixed >> 16) % 17) - 8;
}

/* Each thread of the team sets some rows: of A and B to their elements, of C to zero. */
static void initialise(int n, double (*a)[n], double (*b)[n], double (*c)[n])
{
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            a[i][k] = element(1, i, k);
            b[i][k] = element(2, i, k);
            c[i][k] = 0;
        }
    }
}

/* C += A B, each thread of the team some rows of C: the same ones for every block, so that none has to wait between blocks. */
static void multiply(int n, double (*restrict a)[n], double (*restrict b)[n], double (*restrict c)[n])
{
    for (int first = 0; first < n; first += BLOCK) {
        int end = first + BLOCK < n ? first + BLOCK : n;
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++) {
            for (int k = first; k < end; k++) {
                for (int j = 0; j < n; j++) {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
    }
#pragma omp barrier
}

/* result = matrix vector, by one thread. */
static void apply(int n, double (*matrix)[n], const double *vector, double *result)
{
    for (int i = 0; i < n; i++) {
        result[i] = 0;
        for (int k = 0; k < n; k++) {
            result[i] += matrix[i][k] * vector[k];
        }
    }
}

/* Freivalds' check: C x = A (B x) for a vector x without zeros. It takes n*n steps and finds each wrong element that is alone in its
 * row; several in one row would have to cancel out. Returns the number of rows that are wrong. */
static int wrong_rows(int n, double (*a)[n], double (*b)[n], double (*c)[n], double *vectors)
{
    double *x = vectors, *bx = x + n, *abx = bx + n, *cx = abx + n;
    int wrong = 0;
    for (int k = 0; k < n; k++) {
        x[k] = 500 + 50 * element(0, 0, k) + k % 50;
    }
    apply(n, b, x, bx);
    apply(n, a, bx, abx);
    apply(n, c, x, cx);
    for (int i = 0; i < n; i++) {
        wrong += !(abx[i] == cx[i]);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : SMALLEST;
    int largest = argc > 1 ? n : LARGEST;
    int status = 0;
    if (argc > 2 || n < 1 || n > 32768) {
        fprintf(stderr, "usage: matrix_product [N], N up to 32768\n");
        return 2;
    }
    size_t elements = (size_t)largest * (size_t)largest;
    double *room = malloc((3 * elements + 4 * (size_t)largest) * sizeof *room);
    if (room == NULL) {
        fprintf(stderr, "matrix_product: no memory for matrices of %d rows\n", largest);
        return 2;
    }

#pragma cll for(; n <= largest; n += STEP)
    double(*a)[n] = (double(*)[n])room;
    double(*b)[n] = (double(*)[n])(room + elements);
    double(*c)[n] = (double(*)[n])(room + 2 * elements);
    int wrong = 0;
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma omp parallel
        {
#pragma cll sync initialise initialise[0] + initialise[1]*n*n/P
            initialise(n, a, b, c);
#pragma cll end initialise
#pragma cll sync again again[0] + again[1]*n*n/P
            initialise(n, a, b, c);
#pragma cll end again
#pragma cll sync product product[0] + product[1]*n*n + product[2]*n*n*n/P
            multiply(n, a, b, c);
#pragma cll end product
        }
#pragma cll check check[0] + check[1]*n*n
        wrong += wrong_rows(n, a, b, c, room + 3 * elements);
#pragma cll end check
    }
    printf("N = %d: %d rows wrong\n", n, wrong);
    status |= wrong > 0;
#pragma cll end for
#pragma cll report all

    free(room);
    return status;
}
