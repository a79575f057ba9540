/* mpi_one_sided.c: what goes to the memory of another processor and comes from it, whatever that one does. What synchronises that stands
 * in mpi_window_epochs.c, but for fences, which all do together: they are among the collective operations. */
#include "event_definitions.h"
#include "mpi_communicators.h"
#include "mpi_requests.h"
#include "mpi_wrapper.h"

static void record_access(MPI_Win window, int rank, uint64_t sent_bytes, uint64_t received_bytes)
{
    uint32_t communicator = cll_event_window(window);
    int partner = communicator == CLL_NO_COMMUNICATOR ? -1 : cll_event_communicator_processor(communicator, rank);
    if (partner >= 0) {
        unsigned char *at = cll_event_start(CLL_EVENT_REMOTE_ACCESS, cll_event_now_ticks);
        at = cll_event_natural(at, (uint64_t)partner);
        at = cll_event_natural(at, communicator);
        at = cll_event_natural(at, sent_bytes);
        cll_event_finish(cll_event_natural(at, received_bytes));
    }
}

static uint64_t combined_bytes(MPI_Op combine, int count, MPI_Datatype type)
{
    return combine == MPI_NO_OP ? 0 : cll_event_bytes(count, type);
}

#define CLL_FUNCTIONS "mpi_access_functions.h"
#include "mpi_counts.h"
#undef CLL_FUNCTIONS

CLL_RECORDED(Fetch_and_op, (const void *bytes, void *fetched, MPI_Datatype type, int rank, MPI_Aint place, MPI_Op combine, MPI_Win window),
             (bytes, fetched, type, rank, place, combine, window),
             record_access(window, rank, combined_bytes(combine, 1, type), cll_event_bytes(1, type)), CLL_NO_MORE)
#ifdef CLL_SMPI /* whose header has forgotten the word */
#define COMPARED void
#else
#define COMPARED const void
#endif
CLL_RECORDED(Compare_and_swap,
             (const void *bytes, COMPARED *compared, void *fetched, MPI_Datatype type, int rank, MPI_Aint place, MPI_Win window),
             (bytes, compared, fetched, type, rank, place, window),
             record_access(window, rank, 2 * cll_event_bytes(1, type), cll_event_bytes(1, type)), CLL_NO_MORE)

#undef COMPARED
