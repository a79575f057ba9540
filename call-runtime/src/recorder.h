/* recorder.h: what one thread measures with. */
#ifndef CLL_RECORDER_H
#define CLL_RECORDER_H

#include "record.h"
#include "thread.h"

/* The thread appends to its last chunk; a chunk with a successor does not change any more, except for the states of its records. */
typedef struct cll_chunk {
    struct cll_chunk *next;
    size_t size_bytes;
    size_t used_bytes; /* of complete heads of records */
    size_t unused;
    unsigned char bytes[];
} cll_chunk;

typedef struct cll_recorder {
    struct cll_recorder *next;
    int has_ended; /* its thread has; another one may go on with it */

    cll_chunk *first; /* changed in a report only */
    cll_chunk *current;
    cll_chunk *spare; /* prefaulted, follows the current one */
    cll_record *innermost;
    struct cll_counters *counters; /* NULL: nothing is counted */
    size_t room_bytes; /* what may be used before make_room has to look again */
    int32_t team;      /* 0: none, the processors of the machine count */
    uint16_t thread;
} cll_recorder;

/* Of this thread; one without any room until it measures. */
extern CLL_PER_THREAD cll_recorder *cll_own_recorder;

/* Of the machine in use. */
extern int cll_processors;

/* Makes sure that wanted_bytes are there and sets room_bytes; returns the recorder of this thread. */
cll_recorder *cll_recorder_make_room(size_t wanted_bytes);

/* The list of all, which stays as it is between lock and unlock; threads neither start nor end to measure meanwhile. */
cll_recorder *cll_recorders_lock(void);
void cll_recorders_unlock(void);

/* Gives back the memory that holds forgotten records only. Called by the one thread that reports. */
void cll_recorders_sweep(void);

/* Buffers that had to be allocated while a measurement was open; taken away when they have been told. */
uint64_t cll_recorder_late_chunks(void);
void cll_recorder_tell_late_chunks(uint64_t count);

/* A walk over the records of a recorder in the order in which they were begun. Start with a zeroed one; NULL at the end. */
typedef struct {
    cll_chunk *chunk;
    size_t offset;
} cll_record_walk;

cll_record *cll_record_next(const cll_recorder *recorder, cll_record_walk *walk);

#endif
