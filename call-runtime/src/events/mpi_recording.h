/* mpi_recording.h: what the wrappers of MPI's functions do before and after each call. */
#ifndef CLL_EVENTS_MPI_RECORDING_H
#define CLL_EVENTS_MPI_RECORDING_H

#include <mpi.h>

#include "event_blocks.h"

/* Of the call that is being recorded. */
extern uint64_t cll_event_now_ticks;

/* What the call waits for that is being recorded, as far as no event tells it yet. */
typedef enum { CLL_AWAITS_UNKNOWN, CLL_AWAITS_MESSAGE, CLL_AWAITS_RECEIVER, CLL_AWAITS_REQUESTS } cll_event_awaited_kind;

typedef struct {
    cll_event_awaited_kind kind;
    uint32_t communicator;
    int partner; /* its rank */
    int requests;
} cll_event_awaited_thing;

extern cll_event_awaited_thing cll_event_awaited;

/* MPI has been started; records from now on if that is wanted. `call` has been called from `caller`. */
void cll_events_start(const char *call, void *caller, int thread_level);

/* In MPI_Finalize: waits for all others, and reports if nobody has. */
void cll_events_finish(void *caller);

/* Around a call; nothing within it is recorded. Both are changes of what is recorded; between them the call itself is none. */
void cll_event_enter(const char *call, void *caller);
void cll_event_leave(void);

/* All processors of a communicator do something in the call that is being recorded, without a root or bytes. Nothing happens where the
 * communicator is not recorded. */
void cll_event_together(cll_event_operation operation, uint32_t communicator);

/* Says once for each function that it is not recorded. */
void cll_event_tell_unrecorded(const char *call, int *is_told);

/* The program has started MPI, and none of its calls can be recorded, as `remark` says. */
void cll_events_tell_unseen(const char *remark);

#endif
