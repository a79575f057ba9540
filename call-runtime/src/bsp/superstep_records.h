/* superstep_records.h: the records of supersteps in memory, one behind the other in chunks. */
#ifndef CLL_BSP_SUPERSTEP_RECORDS_H
#define CLL_BSP_SUPERSTEP_RECORDS_H

#include "supersteps.h"

/* Numbers of processors in the run, both included. */
typedef struct {
    int32_t first;
    int32_t last;
} cll_processor_range;

/* Time of its computing inside measurements of an experiment. */
typedef struct {
    uint64_t ticks;
    uint32_t experiment; /* number of cll_inside_name */
    uint32_t unused;
} cll_experiment_time;

typedef struct cll_superstep_record {
    uint64_t start_ticks;
    uint64_t end_ticks;
    uint64_t recorded_ticks; /* when the record was made and the next superstep started */
    uint64_t computing_ticks;
    uint64_t waiting_ticks;
    uint64_t inner_waiting_ticks; /* before the synchronisation */
    uint64_t inner_recording_ticks; /* of supersteps of parts, within this one */
    uint64_t superstep;
    cll_traffic out;
    cll_traffic in;
    cll_processor_range machine;
    int32_t machine_number;
    int32_t depth;
    uint32_t place;
    uint32_t partner_count; /* ranges */
    uint32_t experiment_count;
    uint32_t unused;
    cll_processor_range partners[]; /* behind them a cll_experiment_time for each experiment */
} cll_superstep_record;

typedef struct cll_superstep_chunk {
    struct cll_superstep_chunk *next;
    size_t size_bytes;
    size_t used_bytes;
    unsigned char bytes[];
} cll_superstep_chunk;

static inline size_t cll_superstep_record_bytes(size_t partner_count, size_t experiment_count)
{
    return sizeof(cll_superstep_record) + partner_count * sizeof(cll_processor_range) +
           experiment_count * sizeof(cll_experiment_time);
}

static inline cll_experiment_time *cll_superstep_experiments(cll_superstep_record *record)
{
    return (cll_experiment_time *)(void *)(record->partners + record->partner_count);
}

/* Where the walk over the records begins. */
cll_superstep_chunk *cll_superstep_first_chunk(void);

/* Number in the run of this processor, and the time that counts as 0; do all processors count from the same moment? */
int cll_superstep_own_processor(void);
uint64_t cll_superstep_origin_ticks(void);
int cll_superstep_has_common_origin(void);

#endif
