/* ping_pong.c: a message of 8 bytes to 256 KiB between the first and the last process with MPI_Send and MPI_Recv, there and back: the
 * shortest time one way in seconds, a line for each size. Rounds over all sizes, and naps between them, as in the probe. */
#include "../../../call-runtime/bench/measure.h"

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 200, TRIPS = 32, WARM_UPS = 1000, NAP_US = 20000, SIZES = 16, SMALLEST = 8 };

static void go_there_and_back(int is_first, int partner, char *data, int bytes)
{
    if (is_first) {
        MPI_Send(data, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
        MPI_Recv(data, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int processors, processor;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    MPI_Comm_rank(MPI_COMM_WORLD, &processor);
    char *data = calloc((size_t)SMALLEST << (SIZES - 1), 1);
    double shortest_us[SIZES] = {0};
    if (processors < 2 || data == NULL) {
        fprintf(stderr, "ping_pong: takes two processes and memory\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int round = 0; round < ROUNDS; round++) {
        usleep(NAP_US);
        for (int warm_up = 0; warm_up < WARM_UPS; warm_up++) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
        for (int size = 0; size < SIZES; size++) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (processor != 0 && processor != processors - 1) {
                continue;
            }
            double begin = now_us();
            for (int trip = 0; trip < TRIPS; trip++) {
                go_there_and_back(processor == 0, processor == 0 ? processors - 1 : 0, data, SMALLEST << size);
            }
            double this = (now_us() - begin) / (2 * TRIPS);
            shortest_us[size] = round == 0 || this < shortest_us[size] ? this : shortest_us[size];
        }
    }
    for (int size = 0; processor == 0 && size < SIZES; size++) {
        printf("%d %.4g\n", SMALLEST << size, 1e-6 * shortest_us[size]);
    }
    free(data);
    MPI_Finalize();
    return 0;
}
