/* mpi_operations.h: sends and receives of MPI that are under way. Receives for envelopes are always posted; an envelope is the head of a
 * packet with its payload, and maybe further packets behind, or announces a payload that follows under another tag. */
#ifndef CLL_BSP_MPI_OPERATIONS_H
#define CLL_BSP_MPI_OPERATIONS_H

#include "transport.h"

/* Kinds of envelopes between transports. */
#define CLL_STOP UINT32_MAX            /* the last one, from a processor to itself */
#define CLL_WAVE (UINT32_MAX - 1)      /* to the next processor, after the last one to the first */
#define CLL_LAST_WAVE (UINT32_MAX - 2) /* there will be no more */

/* A payload up to this travels with its envelope: a second message costs more than the copy out of the envelope's buffer. */
#define CLL_INLINE_BYTES ((size_t)65536)

/* Behind the payload of a packet, so that a token can travel with it. */
#define CLL_RIDER_BYTES (2 * sizeof(cll_packet))

/* How many there are. */
typedef struct {
    int envelopes; /* receives for them */
    int sends;     /* of envelopes and payloads */
    int payloads;  /* pieces of those that travel after their envelopes, sent */
    int blocks;    /* in both directions */
    int others;    /* all but the receives for envelopes */
} cll_operations_under_way;
const cll_operations_under_way *cll_mpi_under_way(void);

/* Posts the receives for envelopes of a run with so many processors. */
void cll_mpi_operations_start(int own_number, int processors);

/* When CLL_STOP has come as often as there are receives for envelopes, and all sends are complete. */
void cll_mpi_operations_end(void);

/* Whether CLL_LAST_WAVE has come; not under SMPI. */
int cll_mpi_had_last_wave(void);

/* Sends a packet, which is released when it has been sent. */
void cll_mpi_send_envelope(int processor, cll_packet *packet, int will_flush);

/* Sends an envelope between transports; it comes behind those that were sent so before. */
void cll_mpi_send_special(int processor, uint32_t kind, const void *bytes, size_t count);

/* Ends the receives for envelopes: sends CLL_STOP to each. */
void cll_mpi_send_stops(void);

/* Waits until an operation is complete, and does what follows from it. */
void cll_mpi_progress(void);

/* The same without waiting; whether there was one. */
int cll_mpi_progress_at_once(void);

/* Whether a receiver waits for a payload that this processor sends. */
int cll_mpi_sends_expected_payload(void);

#endif
