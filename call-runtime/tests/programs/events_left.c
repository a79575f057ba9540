/* MPI, one process, CALL_CLOCK=counting: it ends without MPI_Finalize, soon after its start. */
#include <mpi.h>

void cll_clock_advance(unsigned long long nanoseconds);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    cll_clock_advance(1000);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
