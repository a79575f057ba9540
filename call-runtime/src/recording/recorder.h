/* recorder.h: measurements in memory, from cll_begin to the report: the records of each thread, in chunks. */
#ifndef CLL_RECORDER_H
#define CLL_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "../../include/call.h"
#include "../base/thread.h"

enum cll_record_state {
    CLL_OPEN,      /* begun, not ended */
    CLL_OPEN_COUNTED, /* the same, and a report has counted it as abandoned */
    CLL_MEASURED,  /* ended, to be reported */
    CLL_ABANDONED, /* begun, and known never to be ended; to be counted in a report */
    CLL_MEASURED_TAKEN, /* a report is at it */
    CLL_ABANDONED_TAKEN,
    CLL_FORGOTTEN /* reported, or in a spill file */
};

/* An open record is linked to the one that encloses it; the end overwrites the link with the time. So nesting has no limit
 * and needs no stack of its own. The thread that began a record writes it; another one reads it when its state says that it is
 * complete. */
typedef struct cll_record {
    const cll_experiment *experiment;
    union {
        struct cll_record *enclosing;
        uint64_t elapsed_ticks; /* of the clock; a report makes nanoseconds of them */
    } is;
    uint64_t start_ticks;
    int32_t processors; /* while it is open in an OpenMP program: see CLL_REGIONS_UNASKED */
    uint16_t thread; /* its number in its team; 0 where there is no team */
    uint16_t state;  /* written atomically after everything else */
    cll_value values[];
} cll_record;

/* An open record of an OpenMP program has the size of the team at its begin in the lower half of `processors`, in the upper half that of
 * the largest region that ran inside, or this where regions do not count. No team is so large. */
#define CLL_REGIONS_UNASKED UINT16_MAX

/* `processors` of a record that is forgotten as soon as it has ended. */
#define CLL_LEFT_OUT INT32_MIN

static inline unsigned cll_record_state(const cll_record *record)
{
    return __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
}

static inline void cll_record_become(cll_record *record, enum cll_record_state state)
{
    __atomic_store_n(&record->state, (uint16_t)state, __ATOMIC_RELEASE);
}

/* Whether it was open and no report had counted it. */
static inline int cll_record_count_open(cll_record *record)
{
    uint16_t before = CLL_OPEN;
    return __atomic_compare_exchange_n(&record->state, &before, CLL_OPEN_COUNTED, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* An open one is known never to be ended; returns whether that is news. */
static inline int cll_record_abandon(cll_record *record)
{
    int is_news = cll_record_state(record) != CLL_OPEN_COUNTED;
    cll_record_become(record, is_news ? CLL_ABANDONED : CLL_FORGOTTEN);
    return is_news;
}

/* The variables, then the counters. */
static inline int cll_value_count(const cll_experiment *experiment)
{
    return experiment->variable_count + experiment->counter_count;
}

/* The share of the time that measuring may take, as CALL_BUDGET says; 0: no budget. With one, a value follows that says for how many
 * executions the record stands. Known before the first record. */
extern double cll_budget;
extern int cll_executions_are_kept;

/* Threads may look while the first of them finds out. */
static inline double cll_budget_share(void)
{
    double share;
    __atomic_load(&cll_budget, &share, __ATOMIC_RELAXED);
    return share;
}

static inline int cll_keeps_executions(void)
{
    return __atomic_load_n(&cll_executions_are_kept, __ATOMIC_RELAXED);
}

static inline int cll_kept_value_count(const cll_experiment *experiment)
{
    return cll_value_count(experiment) + cll_keeps_executions();
}

static inline uint64_t cll_record_executions(const cll_record *record)
{
    return cll_keeps_executions() ? record->values[cll_value_count(record->experiment)].natural : 1;
}

static inline size_t cll_record_bytes(const cll_experiment *experiment)
{
    return sizeof(cll_record) + (size_t)cll_kept_value_count(experiment) * sizeof(cll_value);
}

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

    cll_chunk *first; /* changed with the list locked only */
    cll_chunk *current;
    cll_chunk *spare; /* prefaulted, follows the current one */
    cll_record *innermost;
    struct cll_counters *counters; /* NULL: nothing is counted */
    size_t room_bytes;      /* what may be used before make_room has to look again */
    size_t held_chunks;     /* that the last save had to leave, since something in them is open */
    size_t added_chunks;    /* since then */
    uint64_t save_at_ticks; /* an end at this time or later saves what was measured */
    int32_t team;           /* `processors` of its next record; 0: those of the machine */
    uint16_t thread;
    const cll_record *around_region; /* what was innermost when it opened the parallel region that it is in */
    uint64_t start_ticks;  /* when its thread began to measure; the following have been counted since then, by the thread only */
    uint64_t pairs;        /* measurements that have ended */
    uint64_t looks;        /* executions that were looked at and perhaps not measured */
    uint64_t passes;       /* those that nobody looked at */
    uint64_t beside_ticks; /* what counters and saving have taken */
    struct cll_thinning *thinning; /* NULL: everything is measured */
} cll_recorder;

/* Of this thread; one without any chunk until it measures. */
extern CLL_PER_THREAD cll_recorder *cll_own_recorder;

/* Of the machine in use by this process, copied into each record; 1 at first. */
extern int cll_processors;
void cll_record_set_processors(int processors);

/* Number of this process in the whole run, for what is saved before a report says which machine it is in; how many there are. */
extern int cll_run_processor;
extern int cll_run_processors;
void cll_record_set_run_processor(int processor, int processors);

/* What a thread has that does not measure. */
void cll_recorder_leave(void);

static inline int cll_recorder_is_any(const cll_recorder *recorder)
{
    return recorder->current != NULL;
}

/* That of a thread that has ended, so that many short threads need no more memory than those that run at once; else a new one. The
 * list is locked. */
cll_recorder *cll_recorder_take(void);

/* What is lost at most when a run is killed; small enough for the second-level cache, large enough that a program which measures
 * every microsecond writes a hundred times a second only: 256 KiB hold 8192 records without variables. */
#define CLL_CHUNK_BYTES ((size_t)1 << 18)

/* With at least so much room, all of it prefaulted. */
cll_chunk *cll_chunk_make(size_t wanted_bytes);

/* Goes on in the spare chunk, or another one if that is too small. */
void cll_recorder_change_chunks(cll_recorder *own, size_t wanted_bytes);

/* For this thread, which goes on with its first chunk. */
void cll_recorder_empty(cll_recorder *own);

/* Frees the chunks that hold forgotten records only, except for the one that the thread fills. The list is locked. */
void cll_recorder_sweep(cll_recorder *recorder);

/* Prefaults what is not used yet: in a new process the pages are copies on write. */
void cll_recorder_touch(const cll_recorder *own);

static inline size_t cll_recorder_left_bytes(const cll_recorder *own)
{
    return own->current->size_bytes - own->current->used_bytes;
}

/* The list of all, which stays as it is between lock and unlock; threads neither start nor end to measure meanwhile, and only the
 * one that locked takes records from the others or gives memory back. */
void cll_recorders_lock(void);
void cll_recorders_unlock(void);

/* Of the locked list. */
cll_recorder *cll_recorders_first(void);

/* Gives back the memory that holds forgotten records only, of all recorders. */
void cll_recorders_sweep(void);

/* How often the clocks of open measurements had to be stopped, as a buffer was full; taken away when that has been told. */
void cll_recorder_count_late_chunk(void);
uint64_t cll_recorder_late_chunks(void);
void cll_recorder_tell_late_chunks(uint64_t count);

/* A walk over the records of a recorder in the order in which they were begun. Start with a zeroed one; NULL at the end. */
typedef struct {
    cll_chunk *chunk;
    size_t offset;
    size_t seen_bytes;                /* that were used of the chunk */
    const cll_experiment *experiment; /* of the last record */
    size_t record_bytes;              /* of each of that experiment */
} cll_record_walk;

/* Finds records behind those that were seen; 0 if there are none. */
int cll_record_walk_on(const cll_recorder *recorder, cll_record_walk *walk);

static inline cll_record *cll_record_next(const cll_recorder *recorder, cll_record_walk *walk)
{
    if (walk->offset == walk->seen_bytes && !cll_record_walk_on(recorder, walk)) {
        return NULL;
    }
    cll_record *record = (cll_record *)(void *)(walk->chunk->bytes + walk->offset);
    if (record->experiment != walk->experiment) {
        walk->experiment = record->experiment;
        walk->record_bytes = cll_record_bytes(record->experiment);
    }
    walk->offset += walk->record_bytes;
    return record;
}

#endif
