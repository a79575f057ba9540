/* transfer.h: what is known of a packet on its way over MPI. It stands before the packet, which must not change while it is sent. */
#ifndef CLL_BSP_TRANSFER_H
#define CLL_BSP_TRANSFER_H

#include "transport.h"

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

#endif
