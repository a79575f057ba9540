/* event_blocks.h: what happens on a processor, encoded as FORMAT.md says, one event behind the other in blocks of memory. Of MPI programs
 * the main thread is the processor, and records only between the library's calls for start and end; of OpenMP programs each thread of a
 * team is one, with a stream of its own. */
#ifndef CLL_EVENT_BLOCKS_H
#define CLL_EVENT_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "../base/thread.h"

enum { CLL_EVENT_BLOCK_BYTES = 1 << 16, CLL_EVENT_HEAD_BYTES = 48, CLL_LONGEST_EVENT_BYTES = 96 };

/* The numbers of kinds and operations are those of the format. */
typedef enum {
    CLL_EVENT_ENTER,
    CLL_EVENT_LEAVE,
    CLL_EVENT_EXPERIMENT_BEGIN,
    CLL_EVENT_EXPERIMENT_END,
    CLL_EVENT_SEND,
    CLL_EVENT_SYNCHRONOUS_SEND,
    CLL_EVENT_SEND_REQUEST,
    CLL_EVENT_SYNCHRONOUS_SEND_REQUEST,
    CLL_EVENT_SEND_COMPLETE,
    CLL_EVENT_RECEIVE,
    CLL_EVENT_RECEIVE_REQUEST,
    CLL_EVENT_RECEIVE_COMPLETE,
    CLL_EVENT_PROBED,
    CLL_EVENT_CANCELLED,
    CLL_EVENT_COLLECTIVE,
    CLL_EVENT_COLLECTIVE_REQUEST,
    CLL_EVENT_COLLECTIVE_COMPLETE,
    CLL_EVENT_REMOTE_ACCESS,
    CLL_EVENT_WINDOW_POST,
    CLL_EVENT_WINDOW_START,
    CLL_EVENT_WINDOW_COMPLETE,
    CLL_EVENT_WINDOW_WAIT,
    CLL_EVENT_WINDOW_LOCK_EXCLUSIVE,
    CLL_EVENT_WINDOW_LOCK_SHARED,
    CLL_EVENT_WINDOW_UNLOCK
} cll_event_kind;

typedef enum {
    CLL_OPERATION_BARRIER,
    CLL_OPERATION_BROADCAST,
    CLL_OPERATION_SCATTER,
    CLL_OPERATION_GATHER,
    CLL_OPERATION_REDUCE,
    CLL_OPERATION_ALLGATHER,
    CLL_OPERATION_ALLREDUCE,
    CLL_OPERATION_ALLTOALL,
    CLL_OPERATION_REDUCE_SCATTER,
    CLL_OPERATION_SCAN,
    CLL_OPERATION_EXSCAN,
    CLL_OPERATION_FENCE,
    CLL_OPERATION_INITIALISE,
    CLL_OPERATION_FINALISE,
    CLL_OPERATION_MAKE
} cll_event_operation;

typedef struct cll_event_block {
    struct cll_event_block *next;
    size_t used_bytes;
    uint64_t event_count;
    uint64_t start_ticks; /* since the origin */
    unsigned char bytes[CLL_EVENT_BLOCK_BYTES]; /* the head is written when the block goes anywhere */
} cll_event_block;

/* The blocks of a processor, and what of them is being filled. */
typedef struct cll_event_stream {
    unsigned char *at;
    unsigned char *end; /* less the room of the longest event */
    uint64_t last_ticks;
    cll_event_block *block; /* the last one */
    cll_event_block *first;
    int processor; /* its number in the run */
    uint64_t save_at_ticks;         /* what there is then goes into a file */
    struct cll_saved_events *saved; /* what is there; NULL: nothing */
    struct cll_event_stream *next;
} cll_event_stream;

/* Of this thread now: not within a call that is recorded already, as functions of the program that MPI calls may call MPI. */
extern CLL_PER_THREAD int cll_records_events;

/* Where the program has told the runtime to do the barrier that comes, if it has. */
extern CLL_PER_THREAD void *cll_event_barrier_caller;

/* Into which this thread records. */
extern CLL_PER_THREAD cll_event_stream *cll_own_events;

/* Those of this process, in the order of their processors. */
extern cll_event_stream *cll_event_streams;

/* Puts a stream to the others; the times of all count from this moment of the clock. One thread at a time. */
void cll_event_stream_start(cll_event_stream *stream, int processor, uint64_t origin_ticks);

/* Another block for what follows. */
void cll_event_block_add(cll_event_stream *stream);

/* Forgets all but the last block, which is empty then. */
void cll_event_blocks_forget(cll_event_stream *stream);

/* Writes the head of a block. The block that is being filled may be among them; it goes on behind. */
void cll_event_block_seal(cll_event_stream *stream, cll_event_block *block);

/* Bytes of the block at the start of these, if it is one. */
size_t cll_event_block_length(const unsigned char *bytes);
void cll_event_block_set_clock(unsigned char *bytes, double nanoseconds_per_tick);

static inline unsigned char *cll_event_natural(unsigned char *at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7) {
        *at++ = (unsigned char)(number | 0x80);
    }
    *at++ = (unsigned char)number;
    return at;
}

/* Starts an event, of which fields may follow. */
static inline unsigned char *cll_event_start(cll_event_kind kind, uint64_t now_ticks)
{
    cll_event_stream *own = cll_own_events;
    if (own->at > own->end) {
        cll_event_block_add(own);
    }
    uint64_t passed_ticks = now_ticks > own->last_ticks ? now_ticks - own->last_ticks : 0;
    own->last_ticks += passed_ticks;
    own->block->event_count++;
    *own->at = (unsigned char)kind;
    return cll_event_natural(own->at + 1, passed_ticks);
}

/* So that some events that follow need no other block. */
static inline void cll_event_reserve(void)
{
    if (cll_own_events->end - cll_own_events->at < 4 * CLL_LONGEST_EVENT_BYTES) {
        cll_event_block_add(cll_own_events);
    }
}

static inline void cll_event_finish(unsigned char *at)
{
    cll_own_events->at = at;
}

#endif
