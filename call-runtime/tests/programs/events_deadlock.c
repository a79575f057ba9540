/* MPI, two processes: each waits for a message that the other one would send later, until a timer ends it by a signal. */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static void end_by_signal(void)
{
    struct sigevent event;
    struct itimerspec when = {{0, 0}, {0, 500000000}};
    timer_t timer;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGTERM;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &when, NULL);
}

int main(int argc, char **argv)
{
    int rank;
    int received = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    end_by_signal();
    MPI_Recv(&received, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
