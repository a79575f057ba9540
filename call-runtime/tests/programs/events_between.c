/* Waits in what makes and leaves intercommunicators, CALL_CLOCK=counting: each call lasts no time, whatever is waited for in it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
#ifndef SMPI_H
    MPI_Comm between;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &between);
    MPI_Comm_disconnect(&between);
#endif
    MPI_Comm_disconnect(&half);
    MPI_Finalize();
    printf("events ok\n");
    return 0;
}
