/* record.h: the measurements in memory, from cll_begin to the report. */
#ifndef CLL_RECORD_H
#define CLL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "../include/call.h"

enum cll_record_state {
    CLL_OPEN,      /* begun, not ended */
    CLL_MEASURED,  /* ended, to be reported */
    CLL_ABANDONED, /* begun, and known never to be ended; to be counted in a report */
    CLL_FORGOTTEN  /* reported */
};

/* An open record is linked to the one that encloses it; the end overwrites the link with the time. So nesting has no limit
 * and needs no stack of its own. */
typedef struct cll_record {
    const cll_experiment *experiment;
    union {
        struct cll_record *enclosing;
        uint64_t elapsed_ns;
    } is;
    uint64_t start_ns;
    int32_t processors;
    uint32_t state;
    cll_value values[];
} cll_record;

/* A walk over all records in the order in which they were begun. */
typedef struct {
    const void *chunk;
    size_t offset;
} cll_record_walk;

/* Size of the innermost BSP machine in use; 1 where there is none. Kept by the machines, copied into each record. */
extern int cll_processors;

/* Makes room for measurements now rather than at the next begin. */
void cll_record_prepare(void);

/* Start a walk with a zeroed cll_record_walk; NULL at the end. No record may be begun or ended meanwhile. */
cll_record *cll_record_next(cll_record_walk *walk);

/* Gives back the memory that holds forgotten records only. */
void cll_record_sweep(void);

/* Buffers that had to be allocated while a measurement was open, since the last report. */
extern uint64_t cll_record_late_chunks;

/* Median of what an empty begin/end pair records; measured at the first call. */
uint64_t cll_record_empty_pair_ns(void);

/* Called in a new process: its pages are copies on write now, which must not be paid for in a measurement. What was measured
 * before belongs to the one process that keeps it. */
void cll_record_forked(int keep);

#endif
