/* equilibration.c: the table with given sums of rows and columns that is nearest to an old one, by splitting equilibration (A. Nagurney
 * and A. Eydeland), with MPI. Such tables say who trades with whom, or moves where; the sums are newer than the entries. Of all tables
 * without negative entries
 *
 *     the sum of (new - old)^2 / (2 old)   is least,   new = old * max(0, 1 + of_row[i] + of_column[j])
 *
 * In turns each row gets the multiplier that its sum asks for, then each column: a piecewise linear equation in one unknown, solved by
 * sorting. Rows and columns are divided among the processors. Rows whose sum is right already are left as they are, so who has
 * most to do changes; and each second time processor 0 looks at the whole table meanwhile, whether it is good enough.
 *
 *     equilibration [SIZE [TURNS [NANOSECONDS]]]      SIZE rows and columns
 *
 * With NANOSECONDS each operation takes so long beside what it takes: under SMPI, which leaves out what this computer needs if it is
 * told to (--cfg=smpi/simulate-computation:no), times are those of such a machine and always the same.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#pragma cll parallel MPI MPI_COMM_WORLD events

#define LARGEST 4096

/* A sum is right if it is off by so much of itself. */
#define CLOSE 1e-3

/* Operations on an entry: one that is added up, and one that is sorted, for each time that it is compared. */
#define SUM_OPERATIONS 4
#define SORT_OPERATIONS 6

/* Where an entry begins to be positive, and what it grows by. */
typedef struct {
    double from, weight;
} kink;

static int size = 60, turns = 12, processors, rank;
static long nanoseconds;

/* Old entries, and the sums that are wanted; multipliers of all rows and columns, as far as they are known here. */
static double *old, *row_sum, *column_sum, *of_row, *of_column;
static kink *kinks;

static void *allocate(size_t count, size_t bytes)
{
    void *made = calloc(count, bytes);
    if (made == NULL) {
        fprintf(stderr, "equilibration: no memory for %zu numbers\n", count);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return made;
}

/* Where the part of a processor begins. */
static int begin(int part)
{
    return (int)((long)size * part / processors);
}

/* Time that the operations of a planned machine take. */
static void spend(double operations)
{
    double ns = operations * (double)nanoseconds;
    struct timespec time = {.tv_sec = (time_t)(ns / 1e9)};
    time.tv_nsec = (long)(ns - 1e9 * (double)time.tv_sec);
    if (ns > 0) {
        nanosleep(&time, NULL);
    }
}

/* Between 0 and 1, the same wherever it is asked for. */
static double chance(unsigned row, unsigned column)
{
    unsigned state = row * 4099 + column + 1;
    for (int turn = 0; turn < 3; turn++) {
        state = (state ^ (state >> 15)) * 2246822519u + 3266489917u;
    }
    return (double)(state >> 8) / 16777216.0;
}

static double *entry(int row, int column)
{
    return &old[(size_t)row * (size_t)size + (size_t)column];
}

/* Later rows have more entries. All sums grow, those of the first rows and columns most. */
static void make_table(void)
{
    double all_rows = 0, all_columns = 0;
    for (int row = 0; row < size; row++) {
        for (int column = 0; column < size; column++) {
            double filled = 0.2 + 0.8 * (row + 1) / size;
            int is_entry = row == column || chance((unsigned)row, (unsigned)(column + size)) < filled;
            *entry(row, column) = is_entry ? 1 + 9 * chance((unsigned)row, (unsigned)column) : 0;
            row_sum[row] += *entry(row, column) * (1.05 + 0.5 * exp(-6.0 * row / size));
            column_sum[column] += *entry(row, column) * (1.05 + 0.4 * exp(-9.0 * column / size));
        }
    }
    for (int at = 0; at < size; at++) {
        all_rows += row_sum[at];
        all_columns += column_sum[at];
    }
    for (int at = 0; at < size; at++) {
        column_sum[at] *= all_rows / all_columns;
    }
}

static double new_entry(int row, int column)
{
    double factor = 1 + of_row[row] + of_column[column];
    return factor > 0 ? *entry(row, column) * factor : 0;
}

static double sum_of(int is_row, int line)
{
    double sum = 0;
    for (int at = 0; at < size; at++) {
        sum += is_row ? new_entry(line, at) : new_entry(at, line);
    }
    return sum;
}

static int is_close(double sum, double wanted)
{
    return fabs(sum - wanted) <= CLOSE * wanted;
}

static int compare(const void *left, const void *right)
{
    double own = ((const kink *)left)->from, its = ((const kink *)right)->from;
    return (own > its) - (own < its);
}

/* The multiplier with which the entries of a row or column have the wanted sum: their sum grows with it, steeper at each kink. Tells the
 * operations. */
static double solve(int is_row, int line, double wanted, double *multiplier)
{
    int count = 0;
    double slope = 0, constant = 0, found = 0;
    for (int at = 0; at < size; at++) {
        double weight = is_row ? *entry(line, at) : *entry(at, line);
        if (weight > 0) {
            kinks[count++] = (kink){-1 - (is_row ? of_column[at] : of_row[at]), weight};
        }
    }
    qsort(kinks, (size_t)count, sizeof *kinks, compare);
    for (int at = 0; at < count; at++) {
        slope += kinks[at].weight;
        constant += kinks[at].weight * kinks[at].from;
        found = (wanted + constant) / slope;
        if (at + 1 == count || found <= kinks[at + 1].from) {
            break;
        }
    }
    *multiplier = found;
    return SORT_OPERATIONS * count * log2(count + 1.0);
}

/* The rows or columns of this processor that are not right yet. */
static void solve_own(int is_row, double *multipliers, const double *sums)
{
    double operations = 0;
    for (int line = begin(rank); line < begin(rank + 1); line++) {
        operations += (double)SUM_OPERATIONS * size;
        if (!is_close(sum_of(is_row, line), sums[line])) {
            operations += solve(is_row, line, sums[line], &multipliers[line]);
        }
    }
    spend(operations);
}

/* All processors get to know all multipliers. */
static void exchange(double *multipliers)
{
    int counts[LARGEST], begins[LARGEST];
    for (int part = 0; part < processors; part++) {
        begins[part] = begin(part);
        counts[part] = begin(part + 1) - begin(part);
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, multipliers, counts, begins, MPI_DOUBLE, MPI_COMM_WORLD);
}

/* How many rows are not right. */
static int count_wrong(void)
{
    int wrong = 0;
    for (int row = 0; row < size; row++) {
        wrong += !is_close(sum_of(1, row), row_sum[row]);
    }
    spend((double)SUM_OPERATIONS * size * size);
    return wrong;
}

/* A whole number on the command line, at least as large as said. */
static long argument(int argc, char **argv, int place, long otherwise, long least, long most)
{
    char *end;
    if (place >= argc) {
        return otherwise;
    }
    long value = strtol(argv[place], &end, 10);
    return *end != '\0' || end == argv[place] || value < least || value > most ? -1 : value;
}

/* The table is the nearest one if its entries are as said above and the sums of all rows and columns are right. */
static int is_right(void)
{
    int right = 1;
    for (int line = 0; line < size; line++) {
        right = right && fabs(sum_of(0, line) - column_sum[line]) <= 2 * CLOSE * column_sum[line];
        right = right && fabs(sum_of(1, line) - row_sum[line]) <= 2 * CLOSE * row_sum[line];
    }
    return right;
}

int main(int argc, char **argv)
{
    int wrong = 0, right;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    size = (int)argument(argc, argv, 1, size, processors, LARGEST);
    turns = (int)argument(argc, argv, 2, turns, 1, 1000000);
    nanoseconds = argument(argc, argv, 3, 0, 0, 1000000000);
    if (argc > 4 || size < 0 || turns < 0 || nanoseconds < 0) {
        if (rank == 0) {
            fprintf(stderr, "usage: equilibration [SIZE [TURNS [NANOSECONDS]]], SIZE from the number of processors to %d\n", LARGEST);
        }
        MPI_Finalize();
        return 2;
    }
    old = allocate((size_t)size * (size_t)size, sizeof *old);
    row_sum = allocate((size_t)size, sizeof *row_sum);
    column_sum = allocate((size_t)size, sizeof *column_sum);
    of_row = allocate((size_t)size, sizeof *of_row);
    of_column = allocate((size_t)size, sizeof *of_column);
    kinks = allocate((size_t)size, sizeof *kinks);
    make_table();
#pragma cll whole whole[0] + whole[1]*turns
    for (int turn = 0; turn < turns; turn++) {
        if (rank == 0 && turn % 2 == 1) {
#pragma cll verify verify[0] + verify[1]*size*size
            wrong = count_wrong();
#pragma cll end verify
        }
#pragma cll rows rows[0] + rows[1]*size*size*log(size)/P
        solve_own(1, of_row, row_sum);
#pragma cll end rows
        exchange(of_row);
#pragma cll columns columns[0] + columns[1]*size*size*log(size)/P
        solve_own(0, of_column, column_sum);
#pragma cll end columns
        exchange(of_column);
    }
#pragma cll end whole
#pragma cll report all
    right = is_right();
    if (rank == 0) {
        printf("%d processors, %d turns, %d rows were wrong when they were last counted: %s\n", processors, turns, wrong,
               right ? "right" : "wrong");
    }
    free(old);
    free(row_sum);
    free(column_sum);
    free(of_row);
    free(of_column);
    free(kinks);
    MPI_Finalize();
    return right ? 0 : 1;
}
