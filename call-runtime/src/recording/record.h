/* record.h: a measurement in memory, from cll_begin to the report. */
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

#endif
