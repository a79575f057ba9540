/* MPI, 3 processes, CALL_CLOCK=counting: each kind of event, with planted times between the calls. Argument `many`: many
 * barriers before the end; `kill`: so, and then it is killed. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

void cll_clock_advance(unsigned long long nanoseconds);

static char bytes[4096];
static char others[4096];
static int rank;
static MPI_Status *volatile none = MPI_STATUSES_IGNORE; /* compilers take that of MPICH for an array without room */

static void messages(void)
{
    int left = (rank + 2) % 3, right = (rank + 1) % 3;
    MPI_Request both[2];
    MPI_Irecv(others, 64, MPI_BYTE, left, 5, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(bytes, 8, MPI_INT, right, 5, MPI_COMM_WORLD, &both[1]);
    cll_clock_advance(10);
    MPI_Waitall(2, both, none);
    if (rank == 0) {
        MPI_Send(bytes, 100, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
        MPI_Ssend(bytes, 3, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(others, 4096, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(others, 512, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(bytes, 1, MPI_BYTE, rank == 2 ? MPI_PROC_NULL : rank + 1, 1, others, 1, MPI_BYTE, rank == 0 ? MPI_PROC_NULL : rank - 1, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Sends that are complete at once may share a handle, and one to nobody has it as well. */
static void requests(void)
{
    MPI_Request three[3];
    MPI_Status status;
    int index;
    MPI_Isend(bytes, 1, MPI_BYTE, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &three[0]);
    MPI_Isend(bytes, 2, MPI_BYTE, (rank + 1) % 3, 2, MPI_COMM_WORLD, &three[1]);
    MPI_Irecv(others, 4, MPI_BYTE, (rank + 2) % 3, 2, MPI_COMM_WORLD, &three[2]);
    MPI_Wait(&three[0], &status);
    MPI_Wait(&three[1], MPI_STATUS_IGNORE);
    MPI_Waitany(3, three, &index, MPI_STATUS_IGNORE);
    MPI_Send_init(bytes, 5, MPI_BYTE, (rank + 1) % 3, 3, MPI_COMM_WORLD, &three[0]);
    MPI_Recv_init(others, 5, MPI_BYTE, (rank + 2) % 3, 3, MPI_COMM_WORLD, &three[1]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(2, three);
        MPI_Waitall(2, three, none);
    }
    MPI_Request_free(&three[0]);
    MPI_Request_free(&three[1]);
}

static void collectives(void)
{
    MPI_Comm part;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, -rank, &part);
    MPI_Bcast(bytes, 10, MPI_BYTE, 0, part);
    MPI_Comm_free(&part);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(rank == 1 ? MPI_IN_PLACE : bytes, others, 2, MPI_INT, MPI_MAX, 1, MPI_COMM_WORLD);
    MPI_Scan(bytes, others, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Alltoall(bytes, 3, MPI_BYTE, others, 3, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Iallreduce(bytes, others, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    cll_clock_advance(30);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void window(void)
{
    MPI_Win opened;
    MPI_Win_create(others, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &opened);
    MPI_Win_fence(0, opened);
    MPI_Win_fence(0, opened);
    MPI_Win_free(&opened);
}

int main(int argc, char **argv)
{
    cll_clock_advance(5); /* before the start, in which processors agree on nothing */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cll_clock_advance(1000ULL * (unsigned)(rank + 1));
    messages();
    cll_clock_advance(20);
    requests();
    collectives();
    window();
    for (int round = 0; argc > 1 && round < 30000; round++) {
        MPI_Barrier(MPI_COMM_SELF); /* waits for nobody */
    }
    if (argc > 1 && strcmp(argv[1], "kill") == 0) {
        MPI_Barrier(MPI_COMM_WORLD); /* all have come as far, as the first one that dies ends the others */
        raise(SIGKILL);
    }
    MPI_Finalize();
    printf("events ok\n");
    return 0;
}
