/* Ranks measure on the whole machine and on the halves of it. */
#include <mpi.h>

void cll_clock_advance(unsigned long long nanoseconds);

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
#pragma cll parallel MPI MPI_COMM_WORLD procs = 1:8:2
#pragma cll sync whole whole[0]*rank
    cll_clock_advance(1000ull * (unsigned)(rank + 1));
#pragma cll end whole
#pragma cll sync(half) part part[0]*rank
    cll_clock_advance(2000ull * (unsigned)(rank + 1));
#pragma cll end part
#pragma cll own own[0]/P
    cll_clock_advance(3000);
#pragma cll end own
#pragma cll report all
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
