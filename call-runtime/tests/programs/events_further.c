/* MPI, 3 processes, CALL_CLOCK=counting: calls that events.c leaves out. */
#include <mpi.h>
#include <stdio.h>

/* With LARGE_COUNTS the functions of MPI 4 that take them. */
#ifdef LARGE_COUNTS
#define OF(name) name##_c
typedef MPI_Count many;
typedef MPI_Aint distance;
#else
#define OF(name) name
typedef int many;
typedef int distance;
#endif

static char bytes[4096];
static char others[4096];
static int rank, left, right;
static const many counts[3] = {1, 2, 3};
static const distance places[3] = {0, 100, 200};

/* SMPI has neither these nor operations between neighbours. */
static void matched(void)
{
#ifndef SMPI_H
    MPI_Request request, never;
    MPI_Message message;
    MPI_Status status;
    OF(MPI_Isend)(bytes, 10, MPI_BYTE, right, 4, MPI_COMM_WORLD, &request);
    MPI_Mprobe(left, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    OF(MPI_Mrecv)(others, 20, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OF(MPI_Isend)(bytes, 11, MPI_BYTE, right, 5, MPI_COMM_WORLD, &request);
    MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);
    OF(MPI_Imrecv)(others, 20, MPI_BYTE, &message, &never);
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}

static void messages(void)
{
    MPI_Request request, never;
    OF(MPI_Irecv)(others, 20, MPI_BYTE, left, 99, MPI_COMM_WORLD, &never);
    MPI_Cancel(&never);
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    OF(MPI_Sendrecv_replace)(bytes, 6, MPI_BYTE, right, 6, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    OF(MPI_Irecv)(others, 20, MPI_BYTE, left, 7, MPI_COMM_WORLD, &never);
    OF(MPI_Ssend_init)(bytes, 7, MPI_BYTE, right, 7, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* of nothing that is active */
    MPI_Request_free(&request);
}

static void counted(void)
{
    many of_all[3] = {rank + 1, rank + 1, rank + 1};
    MPI_Datatype types[3] = {MPI_BYTE, MPI_BYTE, MPI_BYTE};
    MPI_Datatype shorts[3] = {MPI_SHORT, MPI_SHORT, MPI_SHORT};
    many shorter[3] = {2, 4, 6};
    MPI_Request request;
    OF(MPI_Gather)(bytes, 2, MPI_INT, others, 2, MPI_INT, 2, MPI_COMM_WORLD);
    OF(MPI_Gatherv)(bytes, rank + 1, MPI_BYTE, others, counts, places, MPI_BYTE, 1, MPI_COMM_WORLD);
    OF(MPI_Scatter)(bytes, 2, MPI_INT, others, 2, MPI_INT, 2, MPI_COMM_WORLD);
    OF(MPI_Scatterv)(bytes, counts, places, MPI_BYTE, others, rank + 1, MPI_BYTE, 0, MPI_COMM_WORLD);
    OF(MPI_Allgather)(bytes, 3, MPI_BYTE, others, 3, MPI_BYTE, MPI_COMM_WORLD);
    OF(MPI_Allgatherv)(bytes, rank + 1, MPI_BYTE, others, counts, places, MPI_BYTE, MPI_COMM_WORLD);
    OF(MPI_Alltoallv)(bytes, of_all, places, MPI_BYTE, others, counts, places, MPI_BYTE, MPI_COMM_WORLD);
    of_all[0] = of_all[1] = of_all[2] = rank + 1;
    OF(MPI_Alltoallw)(bytes, of_all, places, shorts, others, shorter, places, types, MPI_COMM_WORLD);
    OF(MPI_Reduce_scatter)(bytes, others, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    OF(MPI_Reduce_scatter_block)(bytes, others, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    OF(MPI_Exscan)(bytes, others, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OF(MPI_Igatherv)(bytes, rank + 1, MPI_BYTE, others, counts, places, MPI_BYTE, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Since MPI 4: a collective operation that is begun again and again, and a message with its answer. */
static void of_version_4(void)
{
#ifdef LARGE_COUNTS
    MPI_Request request;
    MPI_Bcast_init_c(bytes, 5, MPI_BYTE, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Isendrecv_c(bytes, 8, MPI_BYTE, right, 8, others, 8, MPI_BYTE, left, 8, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Psend_init(bytes, 2, 4, MPI_BYTE, 1, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Request_free(&request);
    }
#endif
}

static void neighbours(void)
{
#ifndef SMPI_H
    static const int three[1] = {3}, round[1] = {1};
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, three, round, 0, &ring);
    OF(MPI_Neighbor_alltoall)(bytes, 1, MPI_INT, others, 1, MPI_INT, ring);
    OF(MPI_Ineighbor_allgather)(bytes, 1, MPI_INT, others, 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(ring);
    MPI_Comm_free(&ring);
#endif
}

static void accesses(void)
{
    MPI_Win window;
    MPI_Group all, sources, targets;
    OF(MPI_Win_create)(others, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    OF(MPI_Put)(bytes, 8, MPI_BYTE, right, 0, 8, MPI_BYTE, window);
    OF(MPI_Get)(bytes + 100, 1, MPI_INT, left, 8, 1, MPI_INT, window);
    OF(MPI_Accumulate)(bytes, 2, MPI_INT, right, 16, 2, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
    MPI_Fetch_and_op(bytes, bytes + 200, MPI_INT, right, 0, MPI_SUM, window);
    MPI_Win_unlock(right, window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &left, &sources);
    MPI_Group_incl(all, 1, &right, &targets);
    MPI_Win_post(sources, 0, window);
    MPI_Win_start(targets, 0, window);
    OF(MPI_Put)(bytes, 3, MPI_BYTE, right, 0, 3, MPI_BYTE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Win_free(&window);
    MPI_Group_free(&all);
    MPI_Group_free(&sources);
    MPI_Group_free(&targets);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    left = (rank + 2) % 3;
    right = (rank + 1) % 3;
    matched();
    messages();
    counted();
    of_version_4();
    neighbours();
    accesses();
    MPI_Finalize();
    printf("events ok\n");
    return 0;
}
