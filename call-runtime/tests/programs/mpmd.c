/* MPI, 2 processes: stands for two programs in one run: process 1 has another experiment, of which it knows only when it runs; their
 * report ends with status 2. */
#include <call.h>
#include <mpi.h>
#include <stddef.h>

static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment f = {"f", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment g = {"g", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const even_experiments[] = {&f};
static const cll_experiment *const odd_experiments[] = {&g};
static const cll_unit even = {"mpmd", "even.c", CLL_MPI, 1, even_experiments};
static const cll_unit odd = {"mpmd", "odd.c", CLL_MPI, 1, odd_experiments};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cll_report(rank % 2 == 0 ? &even : &odd, NULL, NULL);
    MPI_Finalize();
    return 0;
}
