/* mpi_collective_events.h: what a processor does in a collective operation, and the event of it. */
#ifndef CLL_EVENTS_MPI_COLLECTIVE_EVENTS_H
#define CLL_EVENTS_MPI_COLLECTIVE_EVENTS_H

#include "event_blocks.h"

/* Bytes are those that go to others and come from others, as if each pair exchanged them directly. */
typedef struct {
    cll_event_operation operation;
    uint32_t communicator; /* CLL_NO_COMMUNICATOR: it is not recorded */
    int rank;
    int root;        /* -1: there is none */
    uint64_t others; /* processors beside this one */
    uint64_t sent_bytes;
    uint64_t received_bytes;
} cll_event_collective;

/* Begins an event of this kind; returns where it goes on. */
unsigned char *cll_event_start_collective(cll_event_kind kind, const cll_event_collective *its);

#endif
