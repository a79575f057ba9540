/* jacobi.c: Jacobi's iteration for Laplace's equation on a square plate whose border is kept at zero, with MPI. The plate has n rows of
 * n points, each process has some of the rows. In a sweep each point becomes the mean of its four neighbours; before, processes
 * exchange the rows at the edges of their blocks (the halo). The plate starts as a wave, which keeps its form and becomes
 * smaller by a known factor in each sweep: every result is checked.
 *
 *     jacobi       a plate of SMALLEST rows, or with CALL of all sizes of the sampling loop
 *     jacobi N     a plate of N rows
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI MPI_COMM_WORLD procs = 1:32:2

/* Sizes of the sampling loop in main. */
#define SMALLEST 64
#define LARGEST 768
#define STEP 64

/* For each size, so many sweeps are measured by their parts, then so many runs of so many sweeps as a whole. */
#define SINGLE_SWEEPS 12
#define RUNS 5
#define SWEEPS 20

static const double pi = 3.14159265358979323846;

/* Rows 1 … count are those of this process, in the plate `before` rows lie above them; rows 0 and count + 1 are the neighbours' or
 * the border, columns 0 and n + 1 are the border. */
typedef struct {
    int n, before, count, above, below;
    double *now, *next;
} plate;

static double *row(const plate *its, double *points, int i)
{
    return points + (size_t)i * ((size_t)its->n + 2);
}

/* Two half waves down, one along: not symmetric, lest a halo from the wrong side look right. */
static double wave(const plate *its, int i, int j)
{
    return sin(2 * pi * (its->before + i) / (its->n + 1)) * sin(pi * j / (its->n + 1));
}

static plate start(int n, int rank, int processes, double *room)
{
    plate its = {.n = n, .before = (int)((long long)n * rank / processes), .now = room};
    its.count = (int)((long long)n * (rank + 1) / processes) - its.before;
    its.above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    its.below = rank < processes - 1 ? rank + 1 : MPI_PROC_NULL;
    its.next = row(&its, its.now, its.count + 2);
    for (int i = 0; i <= its.count + 1; i++) {
        for (int j = 0; j <= n + 1; j++) {
            int is_inside = i > 0 && i <= its.count && j > 0 && j <= n;
            row(&its, its.now, i)[j] = is_inside ? wave(&its, i, j) : 0;
            row(&its, its.next, i)[j] = 0;
        }
    }
    return its;
}

/* The first and the last row go to the neighbours, theirs come: all rows upwards, then all rows downwards. */
static void exchange(plate *its)
{
    double *first = row(its, its->now, 1), *last = row(its, its->now, its->count);
    double *from_above = row(its, its->now, 0), *from_below = row(its, its->now, its->count + 1);
    int width = its->n + 2;
    MPI_Sendrecv(first, width, MPI_DOUBLE, its->above, 0, from_below, width, MPI_DOUBLE, its->below, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, width, MPI_DOUBLE, its->below, 1, from_above, width, MPI_DOUBLE, its->above, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void sweep(plate *its)
{
    for (int i = 1; i <= its->count; i++) {
        const double *above = row(its, its->now, i - 1), *here = row(its, its->now, i), *below = row(its, its->now, i + 1);
        double *restrict next = row(its, its->next, i);
        for (int j = 1; j <= its->n; j++) {
            next[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
        }
    }
    double *last = its->now;
    its->now = its->next;
    its->next = last;
}

/* How much the last sweep changed: the root of the sum of squares over the whole plate. */
static double change(const plate *its)
{
    double own = 0, all;
    for (int i = 1; i <= its->count; i++) {
        const double *now = row(its, its->now, i), *last = row(its, its->next, i);
        for (int j = 1; j <= its->n; j++) {
            own += (now[j] - last[j]) * (now[j] - last[j]);
        }
    }
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(all);
}

/* Whether plate and residual are right after so many sweeps, on all processes. */
static int is_right(const plate *its, int sweeps, double residual)
{
    double factor = (cos(2 * pi / (its->n + 1)) + cos(pi / (its->n + 1))) / 2;
    double height = pow(factor, sweeps), wanted = pow(factor, sweeps - 1) * (1 - factor) * (its->n + 1) / 2;
    int right = fabs(residual - wanted) <= 1e-6 * wanted, all;
    for (int i = 1; i <= its->count; i++) {
        for (int j = 1; j <= its->n; j++) {
            right = right && fabs(row(its, its->now, i)[j] - height * wave(its, i, j)) <= 1e-12;
        }
    }
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, processes, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    int n = argc > 1 ? atoi(argv[1]) : SMALLEST;
    int largest = argc > 1 ? n : LARGEST;
    size_t most_rows = (size_t)largest / (size_t)processes + 3;
    double *room = n < processes ? NULL : malloc(2 * most_rows * ((size_t)largest + 2) * sizeof *room);
    if (room == NULL) {
        fprintf(stderr, "jacobi: no memory, or fewer rows than processes\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }

#pragma cll for(; n <= largest; n += STEP)
    plate its = start(n, rank, processes, room);
    double residual = 0;
    for (int k = 0; k < SINGLE_SWEEPS; k++) {
#pragma cll sync halo halo[0] + halo[1]*min(P - 1, 1) + halo[2]*n*min(P - 1, 1)
        exchange(&its);
#pragma cll end halo
#pragma cll sync sweep sweep[0] + sweep[1]*n*n/P
        sweep(&its);
#pragma cll end sweep
#pragma cll sync residual residual[0] + residual[1]*log2(P) + residual[2]*n*n/P
        residual = change(&its);
#pragma cll end residual
    }
    for (int run = 0; run < RUNS; run++) {
#pragma cll sync whole whole[0] + whole[1]*log2(P) + whole[2]*min(P - 1, 1) + whole[3]*n*min(P - 1, 1) + whole[4]*n*n/P
        for (int k = 0; k < SWEEPS; k++) {
            exchange(&its);
            sweep(&its);
        }
        residual = change(&its);
#pragma cll end whole
    }
    int right = is_right(&its, SINGLE_SWEEPS + RUNS * SWEEPS, residual);
    if (rank == 0) {
        printf("N = %d, P = %d: residual %.3e, %s\n", n, processes, residual, right ? "right" : "wrong");
    }
    status |= !right;
#pragma cll end for
#pragma cll report all

    free(room);
    MPI_Finalize();
    return status;
}
