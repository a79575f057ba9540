/* SMPI, CALL_EVENTS=1: each processor tells how often the runtime has asked the simulator for the time. */
#include <mpi.h>
#include <stdio.h>

__asm__(".hidden MPI_Wtime");

static int count = 0;

double MPI_Wtime(void)
{
    count++;
    return PMPI_Wtime();
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    printf("%d %d\n", rank, count);
    return 0;
}
