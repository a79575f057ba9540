/* record.h: the measurements in memory, from cll_begin to the report. */
#ifndef CLL_RECORD_H
#define CLL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "../../include/call.h"

enum cll_record_state {
    CLL_OPEN,      /* begun, not ended */
    CLL_MEASURED,  /* ended, to be reported */
    CLL_ABANDONED, /* begun, and known never to be ended; to be counted in a report */
    CLL_MEASURED_TAKEN, /* a report is at it */
    CLL_ABANDONED_TAKEN,
    CLL_FORGOTTEN /* reported, or kept in a file */
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
    int32_t processors;
    uint16_t thread; /* its number in its team; 0 where there is no team */
    uint16_t state;  /* written atomically after everything else */
    cll_value values[];
} cll_record;

/* The variables, then the counters. */
static inline int cll_value_count(const cll_experiment *experiment)
{
    return experiment->variable_count + experiment->counter_count;
}

static inline size_t cll_record_bytes(const cll_experiment *experiment)
{
    return sizeof(cll_record) + (size_t)cll_value_count(experiment) * sizeof(cll_value);
}

static inline unsigned cll_record_state(const cll_record *record)
{
    return __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
}

static inline void cll_record_become(cll_record *record, enum cll_record_state state)
{
    __atomic_store_n(&record->state, (uint16_t)state, __ATOMIC_RELEASE);
}

/* Makes room for measurements of this thread now rather than at the next begin. */
void cll_record_prepare(void);

/* Size of the machine in use by this process, copied into each record; 1 at first. */
void cll_record_set_processors(int processors);

/* Number of this process in the whole run, for what is kept before a report says which machine it is in. */
void cll_record_set_run_processor(int processor);

/* Size of the team that this thread is in, and its number there; for the records of this thread instead of the machine. */
void cll_record_set_team(int processors, int number);

/* Called now and then before a begin until it returns that the processors are settled; NULL where they are from the start. */
extern int (*cll_record_settle_processors)(void);

/* Median of what an empty begin/end pair records; measured at the first call. */
uint64_t cll_record_empty_pair_ns(void);

/* What is taken off each time: that median if it is asked for, else nothing. */
uint64_t cll_record_subtracted_ns(void);
uint64_t cll_record_subtracted_ticks(void);

/* Called in a new process: its pages are copies on write now, which must not be paid for in a measurement. What was measured
 * before belongs to the one process that keeps it. */
void cll_record_forked(int keep);

#endif
