/* deadlock.h: whether all processors wait for packets and none is on its way, and what is said then. */
#ifndef CLL_BSP_DEADLOCK_H
#define CLL_BSP_DEADLOCK_H

#include <stdint.h>

#include "../base/fail.h"
#include "../base/thread.h"
#include "transport.h"

/* A line has room for so many. */
#define CLL_TOLD_BLOCKED 8

typedef struct {
    char call[24];
    uint64_t superstep;
    uint64_t have;
    uint64_t want;
    int64_t processor;
} cll_blocked_processor;

/* Who waits, as far as it is told. Zeroed it is empty. It may be sent from one process to another. */
typedef struct {
    int64_t count;
    int64_t left_out;
    cll_blocked_processor blocked[CLL_TOLD_BLOCKED];
} cll_deadlock;

/* In the order of the processors. Where there is no room for all, those that wait for messages come first. */
void cll_deadlock_add(cll_deadlock *deadlock, int processor, const cll_wait *wait);

CLL_NEVER_RETURNS void cll_deadlock_fail(const cll_deadlock *deadlock);

#if defined(CLL_SMPI)

/* Under SMPI all processors are in one process. SimGrid sees that nothing can happen any more, too, but then the run ends with
 * status 0. */
typedef struct cll_wait_count cll_wait_count;

/* For all processors; one makes it, all leave it. */
cll_wait_count *cll_wait_count_make(int processors);
void cll_wait_count_leave(cll_wait_count *waits);

/* A processor that has sent and received so many packets waits. Fails if now all wait in vain. */
void cll_wait_count_begin(cll_wait_count *waits, int processor, uint64_t sent, uint64_t received, const cll_wait *reason);
void cll_wait_count_end(cll_wait_count *waits);

#elif defined(CLL_TRANSPORT_MPI)

/* Where nobody sees all processors a wave goes from processor 0 to all others, one after the other, and back. Each lets it go on only
 * while it waits itself, and adds how many packets it has sent and received. If those who sent had not sent more, when a wave passed
 * them, than had been received in the wave before, then between the two nobody got anything and everyone waited, and so it stays: the
 * four counters of F. Mattern, "Algorithms for distributed termination detection", Distributed Computing 2, 1987. Whoever computes
 * holds the wave up, so nobody is accused who may still get something. */
typedef struct {
    uint64_t sent;     /* packets, by those that it has passed */
    uint64_t received;
    cll_deadlock deadlock;
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

/* Before processors that were there before wait for each other anew. */
void cll_wave_restart(void);

/* A wave has come. */
void cll_wave_take(const void *bytes);

/* Once more nothing has come. Who has waited for long gets a pause in which the core is free for others. Returns the wave if it is to
 * be sent to the next processor now, else NULL; fails if all wait in vain. */
const cll_wave *cll_wave_wait(cll_waiting *waiting);

#endif
#endif
