/* MPI under SMPI, where sleeping takes exactly so long: messages and operations of sizes from 1 kB to 512 kB. Argument: `ring`, in which each
 * exchanges with both neighbours while it works, or `pipeline`, in which each hands on what it gets. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { SIZES = 10, MOST = 1000 << (SIZES - 1) };

static char out[MOST], in[2][MOST];
static int rank, size;

static void exchange(int bytes, int round)
{
    int before = (rank + size - 1) % size, next = (rank + 1) % size;
    double one = 1, sum;
    MPI_Request requests[4];
    usleep(200 + 100 * ((rank + round) % 4));
    MPI_Irecv(in[0], bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, bytes, MPI_BYTE, next, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, bytes, MPI_BYTE, before, 1, MPI_COMM_WORLD, &requests[3]);
    usleep(100);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void hand_on(int bytes)
{
    if (rank > 0) {
        MPI_Recv(in[0], bytes, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    usleep(300 + 150 * (rank % 2));
    if (rank + 1 < size) {
        MPI_Send(out, bytes, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 2 * SIZES; round++) {
        int bytes = 1000 << round % SIZES;
        if (argc > 1 && strcmp(argv[1], "ring") == 0) {
            exchange(bytes, round);
        } else {
            hand_on(bytes);
        }
    }
    MPI_Finalize();
    return 0;
}
