/* wave.h: whether all processors wait for packets and none is on its way, for a transport where nobody sees all processors. A wave goes
 * from processor 0 to all others, one after the other, and back. Each lets it go on only while it waits itself, and adds how many
 * packets it has sent and received. If those who sent had not sent more, when a wave passed them, than had been received in the wave
 * before, then between the two nobody got anything and everyone waited, and so it stays: the four counters of F. Mattern, "Algorithms
 * for distributed termination detection", Distributed Computing 2, 1987. Whoever computes holds the wave up, so nobody is accused
 * who may still get something. */
#ifndef CLL_BSP_WAVE_H
#define CLL_BSP_WAVE_H

#include <stdint.h>

#include "transport.h"
#include "waits.h"

typedef struct {
    uint64_t sent;     /* packets, by those that it has passed */
    uint64_t received;
    cll_waits waits;
} cll_wave;

/* A processor that waits. */
typedef struct {
    int processor;
    uint64_t sent;
    uint64_t received;
    const cll_wait *reason;
    unsigned looks;    /* what follows starts with 0 */
    uint64_t since_ns;
} cll_waiting;

/* A wave has come. */
void cll_wave_take(const void *bytes);

/* Once more nothing has come. Who has waited for long gets a pause in which the core is free for others. Returns the wave if it is to
 * be sent to the next processor now, else NULL; fails if all wait in vain. */
const cll_wave *cll_wave_wait(cll_waiting *waiting);

#endif
