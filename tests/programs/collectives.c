/* MPI under SMPI, where sleeping takes exactly so long: operations of 1 kB to 128 kB to which processors come one after the other. Arguments: the
 * operation, and whether all come at once. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 24, SIZES = 8, MOST = 1024 << (SIZES - 1), PROCESSORS = 8 };

static char one[MOST], all[PROCESSORS * MOST];

int main(int argc, char **argv)
{
    int rank;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < ROUNDS; round++) {
        int bytes = 1024 << round % SIZES, numbers = bytes / (int)sizeof(double);
        MPI_Request request;
        usleep(argc > 2 ? 1000 : 1000 * (1 + (rank * 7 + round * 3) % 4));
        if (strcmp(what, "bcast") == 0) {
            MPI_Bcast(one, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
        } else if (strcmp(what, "reduce") == 0) {
            MPI_Reduce(one, all, numbers, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        } else if (strcmp(what, "gather") == 0) {
            MPI_Gather(one, bytes, MPI_CHAR, all, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
        } else if (strcmp(what, "scatter") == 0) {
            MPI_Scatter(all, bytes, MPI_CHAR, one, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        } else if (strcmp(what, "scan") == 0) {
            MPI_Scan(one, all, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        } else {
            MPI_Ibcast(one, bytes, MPI_CHAR, round % PROCESSORS, MPI_COMM_WORLD, &request);
            usleep(1000);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
