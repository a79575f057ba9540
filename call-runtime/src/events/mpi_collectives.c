/* mpi_collectives.c: collective operations, each with its form that does not wait and, since MPI 4, with the one that is begun again and again. */
#include "event_definitions.h"
#include "mpi_collective_events.h"
#include "mpi_communicators.h"
#include "mpi_requests.h"
#include "mpi_wrapper.h"

static cll_event_collective collective_in(cll_event_operation operation, MPI_Comm communicator, int root)
{
    cll_event_collective its = {.operation = operation, .communicator = cll_event_communicator(communicator), .root = root};
    PMPI_Comm_rank(communicator, &its.rank);
    if (its.communicator != CLL_NO_COMMUNICATOR) {
        its.others = (uint64_t)cll_event_communicator_size(its.communicator) - 1;
    }
    return its;
}

static void record_collective(const cll_event_collective *its)
{
    if (its->communicator != CLL_NO_COMMUNICATOR) {
        cll_event_finish(cll_event_start_collective(CLL_EVENT_COLLECTIVE, its));
    }
}

/* From the root to the others, or the other way round; `one` bytes for each pair. */
static void from_root(cll_event_collective *its, uint64_t one_bytes)
{
    *(its->rank == its->root ? &its->sent_bytes : &its->received_bytes) = its->rank == its->root ? its->others * one_bytes : one_bytes;
}

static void to_root(cll_event_collective *its, uint64_t one_bytes)
{
    *(its->rank == its->root ? &its->received_bytes : &its->sent_bytes) = its->rank == its->root ? its->others * one_bytes : one_bytes;
}

static void both_ways(cll_event_collective *its, uint64_t one_bytes)
{
    its->sent_bytes = its->received_bytes = its->others * one_bytes;
}

static void along_ranks(cll_event_collective *its, uint64_t one_bytes)
{
    its->received_bytes = (uint64_t)its->rank * one_bytes;
    its->sent_bytes = (its->others - (uint64_t)its->rank) * one_bytes;
}

static void all_ways(cll_event_collective *its, uint64_t sent_bytes, uint64_t received_bytes)
{
    its->sent_bytes = sent_bytes;
    its->received_bytes = received_bytes;
}

#define PLAIN(...) __VA_ARGS__

/* `traffic` is a statement that fills in the bytes of `its`. */
#define ITS(operation, root, traffic)                                                  \
    cll_event_collective its = collective_in(operation, communicator, root);           \
    traffic
#define COLLECTIVE(name, small_name, operation, parameters, arguments, root, traffic)                                           \
    CLL_COUNTED(name, (PLAIN parameters), (PLAIN arguments), ITS(operation, root, traffic); record_collective(&its), CLL_NO_MORE) \
    CLL_COUNTED(I##small_name, (PLAIN parameters, MPI_Request *request), (PLAIN arguments, request),                            \
                ITS(operation, root, traffic); cll_begun begun = cll_event_begin_collective(&its, 0), cll_event_begun(&begun, request)) \
    PERSISTENT(name, operation, parameters, arguments, root, traffic)
#if MPI_VERSION >= 4
#define PERSISTENT(name, operation, parameters, arguments, root, traffic)                                                       \
    CLL_COUNTED(name##_init, (PLAIN parameters, MPI_Info info, MPI_Request *request), (PLAIN arguments, info, request),         \
                ITS(operation, root, traffic); cll_begun begun = cll_event_begin_collective(&its, 1), cll_event_begun(&begun, request))
#else
#define PERSISTENT(name, operation, parameters, arguments, root, traffic)
#endif

#define IS_ROOT (its.rank == root)
#define COUNTED(count, type) cll_event_bytes(count, type)

COLLECTIVE(Barrier, barrier, CLL_OPERATION_BARRIER, (MPI_Comm communicator), (communicator), -1, CLL_NO_MORE)

#define CLL_FUNCTIONS "mpi_collective_functions.h"
#include "mpi_counts.h"
#undef CLL_FUNCTIONS

CLL_RECORDED(Win_fence, (int assert, MPI_Win window), (assert, window),
             cll_event_together(CLL_OPERATION_FENCE, cll_event_window(window)), CLL_NO_MORE)

#undef PLAIN
#undef ITS
#undef COLLECTIVE
#undef PERSISTENT
#undef IS_ROOT
#undef COUNTED
