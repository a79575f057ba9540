/* Communicators that are made while their processors go on, of which the second one is used first. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm copies[2];
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_idup(MPI_COMM_WORLD, &copies[0], &requests[0]);
    MPI_Comm_idup(MPI_COMM_WORLD, &copies[1], &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, statuses);
    MPI_Barrier(copies[1]);
    MPI_Barrier(copies[0]);
    MPI_Comm_free(&copies[1]);
    MPI_Comm_free(&copies[0]);
    MPI_Finalize();
    printf("events ok\n");
    return 0;
}
