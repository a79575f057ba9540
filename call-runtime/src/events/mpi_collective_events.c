/* mpi_collective_events.c: the event of a collective operation. */
#include "mpi_collective_events.h"

#include "event_definitions.h"
#include "mpi_recording.h"

unsigned char *cll_event_start_collective(cll_event_kind kind, const cll_event_collective *its)
{
    int root = its->root < 0 ? -1 : cll_event_communicator_processor(its->communicator, its->root);
    unsigned char *at = cll_event_start(kind, cll_event_now_ticks);
    *at++ = (unsigned char)its->operation;
    at = cll_event_natural(at, its->communicator);
    at = cll_event_natural(at, (uint64_t)(root + 1));
    at = cll_event_natural(at, its->sent_bytes);
    return cll_event_natural(at, its->received_bytes);
}
