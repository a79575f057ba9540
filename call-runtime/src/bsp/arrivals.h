/* arrivals.h: packets that have come over MPI, some of them without their payload, which is on its way. */
#ifndef CLL_BSP_ARRIVALS_H
#define CLL_BSP_ARRIVALS_H

#include "transport.h"

/* What is known of a packet on its way. It stands before the packet, which must not change while it is sent. */
typedef struct {
    int pending;      /* operations */
    int is_announced; /* the receiver has the envelope and so expects the payload */
    int rider_bytes;  /* of packets behind the payload, which travel in the same envelope */
    int unused;
} cll_transfer;

static inline cll_transfer *cll_transfer_of(cll_packet *packet)
{
    return (cll_transfer *)(void *)packet - 1;
}

/* In the order in which they were sent, as far as one processor sent them. */
void cll_arrivals_add(cll_packet *packet);

/* Whether there are packets, maybe without their payload. */
int cll_arrivals_are_there(void);

/* The first packet that is complete and that no earlier one holds back; NULL if there is none. */
cll_packet *cll_arrivals_take(void);

#endif
