/* mpi_collectives.c: collective operations, each with its form that does not wait. Bytes are those that go to others and come from others, as
 * if each pair exchanged them directly. */
#include "event_definitions.h"
#include "mpi_communicators.h"
#include "mpi_requests.h"
#include "mpi_wrapper.h"

typedef struct {
    uint32_t communicator;
    int rank;
    uint64_t others; /* processors beside this one */
    int root;        /* -1: there is none */
    uint64_t sent_bytes;
    uint64_t received_bytes;
} event_collective;

static event_collective collective_on(uint32_t communicator, int rank, int root)
{
    event_collective its = {.communicator = communicator, .rank = rank, .root = root};
    if (communicator != CLL_NO_COMMUNICATOR) {
        its.others = (uint64_t)cll_event_communicator_size(communicator) - 1;
    }
    return its;
}

static event_collective collective_in(MPI_Comm communicator, int root)
{
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    return collective_on(cll_event_communicator(communicator), rank, root);
}

static unsigned char *start_collective(cll_event_kind kind, cll_event_operation operation, const event_collective *its)
{
    int root = its->root < 0 ? -1 : cll_event_communicator_processor(its->communicator, its->root);
    unsigned char *at = cll_event_start(kind, cll_event_now_ticks);
    *at++ = (unsigned char)operation;
    at = cll_event_natural(at, its->communicator);
    at = cll_event_natural(at, (uint64_t)(root + 1));
    at = cll_event_natural(at, its->sent_bytes);
    return cll_event_natural(at, its->received_bytes);
}

static void record_collective(cll_event_operation operation, const event_collective *its)
{
    if (its->communicator != CLL_NO_COMMUNICATOR) {
        cll_event_finish(start_collective(CLL_EVENT_COLLECTIVE, operation, its));
    }
}

static cll_begun begin_collective(cll_event_operation operation, const event_collective *its)
{
    int is_recorded = its->communicator != CLL_NO_COMMUNICATOR;
    cll_begun begun = cll_event_begin_collective(is_recorded);
    if (is_recorded) {
        cll_event_finish(cll_event_natural(start_collective(CLL_EVENT_COLLECTIVE_REQUEST, operation, its), begun.number));
    }
    return begun;
}

/* What goes to or comes from the other processors, of which each has its count and maybe its type. */
static uint64_t bytes_of_others(const event_collective *its, const int *counts, MPI_Datatype type, const MPI_Datatype *types)
{
    uint64_t bytes = 0;
    if (its->communicator != CLL_NO_COMMUNICATOR) {
        for (int rank = 0; rank <= (int)its->others; rank++) {
            bytes += rank == its->rank ? 0 : cll_event_bytes(counts[rank], types == NULL ? type : types[rank]);
        }
    }
    return bytes;
}

/* From the root to the others, or the other way round; `one` bytes for each pair. */
static void from_root(event_collective *its, uint64_t one_bytes)
{
    *(its->rank == its->root ? &its->sent_bytes : &its->received_bytes) = its->rank == its->root ? its->others * one_bytes : one_bytes;
}

static void to_root(event_collective *its, uint64_t one_bytes)
{
    *(its->rank == its->root ? &its->received_bytes : &its->sent_bytes) = its->rank == its->root ? its->others * one_bytes : one_bytes;
}

static void both_ways(event_collective *its, uint64_t one_bytes)
{
    its->sent_bytes = its->received_bytes = its->others * one_bytes;
}

static void along_ranks(event_collective *its, uint64_t one_bytes)
{
    its->received_bytes = (uint64_t)its->rank * one_bytes;
    its->sent_bytes = (its->others - (uint64_t)its->rank) * one_bytes;
}

static void all_ways(event_collective *its, uint64_t sent_bytes, uint64_t received_bytes)
{
    its->sent_bytes = sent_bytes;
    its->received_bytes = received_bytes;
}

#define PLAIN(...) __VA_ARGS__

/* `traffic` is a statement that fills in the bytes of `its`. */
#define COLLECTIVE(name, small_name, operation, parameters, arguments, root, traffic)                                    \
    CLL_RECORDED(name, (PLAIN parameters), (PLAIN arguments), event_collective its = collective_in(communicator, root);        \
                 traffic; record_collective(operation, &its), CLL_NO_MORE)                                               \
    CLL_RECORDED(I##small_name, (PLAIN parameters, MPI_Request *request), (PLAIN arguments, request),                    \
                 event_collective its = collective_in(communicator, root);                                                     \
                 traffic; cll_begun begun = begin_collective(operation, &its), cll_event_begun(&begun, request))

#define IS_ROOT (its.rank == root)
#define COUNTED(count, type) cll_event_bytes(count, type)

COLLECTIVE(Barrier, barrier, CLL_OPERATION_BARRIER, (MPI_Comm communicator), (communicator), -1, CLL_NO_MORE)
COLLECTIVE(Bcast, bcast, CLL_OPERATION_BROADCAST, (void *bytes, int count, MPI_Datatype type, int root, MPI_Comm communicator),
           (bytes, count, type, root, communicator), root, from_root(&its, COUNTED(count, type)))
COLLECTIVE(Scatter, scatter, CLL_OPERATION_SCATTER,
           (const void *sent, int send_count, MPI_Datatype send_type, void *received, int count, MPI_Datatype type, int root,
            MPI_Comm communicator),
           (sent, send_count, send_type, received, count, type, root, communicator), root,
           from_root(&its, IS_ROOT ? COUNTED(send_count, send_type) : COUNTED(count, type)))
COLLECTIVE(Scatterv, scatterv, CLL_OPERATION_SCATTER,
           (const void *sent, const int send_counts[], const int places[], MPI_Datatype send_type, void *received, int count,
            MPI_Datatype type, int root, MPI_Comm communicator),
           (sent, send_counts, places, send_type, received, count, type, root, communicator), root,
           if (IS_ROOT) its.sent_bytes = bytes_of_others(&its, send_counts, send_type, NULL);
           else its.received_bytes = COUNTED(count, type))
COLLECTIVE(Gather, gather, CLL_OPERATION_GATHER,
           (const void *sent, int send_count, MPI_Datatype send_type, void *received, int count, MPI_Datatype type, int root,
            MPI_Comm communicator),
           (sent, send_count, send_type, received, count, type, root, communicator), root,
           to_root(&its, IS_ROOT ? COUNTED(count, type) : COUNTED(send_count, send_type)))
COLLECTIVE(Gatherv, gatherv, CLL_OPERATION_GATHER,
           (const void *sent, int send_count, MPI_Datatype send_type, void *received, const int counts[], const int places[],
            MPI_Datatype type, int root, MPI_Comm communicator),
           (sent, send_count, send_type, received, counts, places, type, root, communicator), root,
           if (IS_ROOT) its.received_bytes = bytes_of_others(&its, counts, type, NULL);
           else its.sent_bytes = COUNTED(send_count, send_type))
COLLECTIVE(Reduce, reduce, CLL_OPERATION_REDUCE,
           (const void *sent, void *received, int count, MPI_Datatype type, MPI_Op combine, int root, MPI_Comm communicator),
           (sent, received, count, type, combine, root, communicator), root, to_root(&its, COUNTED(count, type)))
COLLECTIVE(Allreduce, allreduce, CLL_OPERATION_ALLREDUCE,
           (const void *sent, void *received, int count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, count, type, combine, communicator), -1, both_ways(&its, COUNTED(count, type)))
/* What each one sends is what the others have room for, also with MPI_IN_PLACE. */
COLLECTIVE(Allgather, allgather, CLL_OPERATION_ALLGATHER,
           (const void *sent, int send_count, MPI_Datatype send_type, void *received, int count, MPI_Datatype type, MPI_Comm communicator),
           (sent, send_count, send_type, received, count, type, communicator), -1, both_ways(&its, COUNTED(count, type)))
COLLECTIVE(Allgatherv, allgatherv, CLL_OPERATION_ALLGATHER,
           (const void *sent, int send_count, MPI_Datatype send_type, void *received, const int counts[], const int places[],
            MPI_Datatype type, MPI_Comm communicator),
           (sent, send_count, send_type, received, counts, places, type, communicator), -1,
           if (its.communicator != CLL_NO_COMMUNICATOR)
               all_ways(&its, its.others * COUNTED(counts[its.rank], type), bytes_of_others(&its, counts, type, NULL)))
COLLECTIVE(Alltoall, alltoall, CLL_OPERATION_ALLTOALL,
           (const void *sent, int send_count, MPI_Datatype send_type, void *received, int count, MPI_Datatype type, MPI_Comm communicator),
           (sent, send_count, send_type, received, count, type, communicator), -1, both_ways(&its, COUNTED(count, type)))
COLLECTIVE(Alltoallv, alltoallv, CLL_OPERATION_ALLTOALL,
           (const void *sent, const int send_counts[], const int send_places[], MPI_Datatype send_type, void *received,
            const int counts[], const int places[], MPI_Datatype type, MPI_Comm communicator),
           (sent, send_counts, send_places, send_type, received, counts, places, type, communicator), -1,
           all_ways(&its, sent == MPI_IN_PLACE ? bytes_of_others(&its, counts, type, NULL) : bytes_of_others(&its, send_counts, send_type, NULL),
                    bytes_of_others(&its, counts, type, NULL)))
COLLECTIVE(Alltoallw, alltoallw, CLL_OPERATION_ALLTOALL,
           (const void *sent, const int send_counts[], const int send_places[], const MPI_Datatype send_types[], void *received,
            const int counts[], const int places[], const MPI_Datatype types[], MPI_Comm communicator),
           (sent, send_counts, send_places, send_types, received, counts, places, types, communicator), -1,
           all_ways(&its,
                    sent == MPI_IN_PLACE ? bytes_of_others(&its, counts, MPI_BYTE, types)
                                         : bytes_of_others(&its, send_counts, MPI_BYTE, send_types),
                    bytes_of_others(&its, counts, MPI_BYTE, types)))
COLLECTIVE(Reduce_scatter, reduce_scatter, CLL_OPERATION_REDUCE_SCATTER,
           (const void *sent, void *received, const int counts[], MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, counts, type, combine, communicator), -1,
           if (its.communicator != CLL_NO_COMMUNICATOR)
               all_ways(&its, bytes_of_others(&its, counts, type, NULL), its.others * COUNTED(counts[its.rank], type)))
COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, CLL_OPERATION_REDUCE_SCATTER,
           (const void *sent, void *received, int count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, count, type, combine, communicator), -1, both_ways(&its, COUNTED(count, type)))
COLLECTIVE(Scan, scan, CLL_OPERATION_SCAN,
           (const void *sent, void *received, int count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, count, type, combine, communicator), -1, along_ranks(&its, COUNTED(count, type)))
COLLECTIVE(Exscan, exscan, CLL_OPERATION_EXSCAN,
           (const void *sent, void *received, int count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, count, type, combine, communicator), -1, along_ranks(&its, COUNTED(count, type)))

CLL_RECORDED(Win_fence, (int assert, MPI_Win window), (assert, window), event_collective its = collective_on(cll_event_window(window), 0, -1);
             record_collective(CLL_OPERATION_FENCE, &its), CLL_NO_MORE)

#undef PLAIN
#undef COLLECTIVE
#undef IS_ROOT
#undef COUNTED
