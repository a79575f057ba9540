/* A process starts two others, and they exchange messages through the communicator between them and through a common one, CALL_CLOCK=counting. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int number = 7;
    MPI_Comm parent, between, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
        for (int child = 0; child < 2; child++) {
            MPI_Send(&number, 1, MPI_INT, child, 1, between);
        }
        for (int child = 0; child < 2; child++) {
            MPI_Recv(&number, 1, MPI_INT, child, 2, between, MPI_STATUS_IGNORE);
        }
        MPI_Intercomm_merge(between, 0, &all);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 1, parent, MPI_STATUS_IGNORE);
        number += rank;
        MPI_Send(&number, 1, MPI_INT, 0, 2, parent);
        MPI_Intercomm_merge(parent, 1, &all);
        between = parent;
    }
    MPI_Bcast(&number, 1, MPI_INT, 0, all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&between);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (parent == MPI_COMM_NULL && number == 8) {
        printf("events ok\n");
    }
    return 0;
}
