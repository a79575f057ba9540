/* superstep_records.h: the records of supersteps in memory, and their section in the trace. */
#ifndef CLL_BSP_SUPERSTEP_RECORDS_H
#define CLL_BSP_SUPERSTEP_RECORDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t bytes;
    uint64_t messages;
} cll_traffic;

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
    uint64_t inner_communicating_ticks; /* likewise */
    uint64_t inner_recording_ticks; /* of supersteps of parts, within this one */
    uint64_t superstep;
    cll_traffic out;
    cll_traffic in;
    cll_processor_range machine;
    int32_t machine_number;
    int32_t depth;
    uint32_t call_site;
    uint32_t partner_count; /* ranges */
    uint32_t experiment_count;
    uint32_t unused;
    cll_processor_range partners[]; /* behind them a cll_experiment_time for each experiment */
} cll_superstep_record;

static inline size_t cll_superstep_record_bytes(size_t partner_count, size_t experiment_count)
{
    return sizeof(cll_superstep_record) + partner_count * sizeof(cll_processor_range) +
           experiment_count * sizeof(cll_experiment_time);
}

static inline cll_experiment_time *cll_superstep_experiments(cll_superstep_record *record)
{
    return (cll_experiment_time *)(void *)(record->partners + record->partner_count);
}

/* What stands above the records in the trace. */
typedef struct {
    int processor;          /* number in the run */
    uint64_t origin_ticks;  /* the time that counts as 0 */
    int has_common_origin;  /* do all processors count from the same moment? */
} cll_superstep_head;

extern cll_superstep_head cll_superstep_own_head;

/* Room for the next record. */
void cll_superstep_records_reserve(size_t record_bytes);

/* The next record, to be filled in; it grows behind its end. */
cll_superstep_record *cll_superstep_record_start(void);
void cll_superstep_record_grow(size_t more_bytes);

/* Room behind the last record, without its experiments so far; where that record is now. */
cll_superstep_record *cll_superstep_record_reserve_behind(cll_superstep_record *last, size_t more_bytes);

/* The section of this processor in the trace, as text. Each call fills `bytes` with as many whole lines as fit and returns their
 * number of bytes; 0: that was all. A line that is longer than the capacity comes in several pieces. */
typedef struct {
    struct cll_superstep_chunk *chunk;
    size_t offset;
    uint32_t call_site;
    int stage;
    char *line; /* made last; handed out up to line_offset */
    size_t line_capacity;
    size_t line_bytes;
    size_t line_offset;
    int is_open; /* records may follow; each place is told before the first superstep that ends there */
    unsigned char *is_told; /* each number of a place, where the walk is open */
    size_t told_count;
} cll_supersteps_walk;

void cll_supersteps_start_walk(cll_supersteps_walk *walk);
size_t cll_supersteps_next_lines(cll_supersteps_walk *walk, char *bytes, size_t capacity);
void cll_supersteps_end_walk(cll_supersteps_walk *walk);

/* A walk that goes on with what has been recorded since when it is asked for more lines, until the records are forgotten. */
void cll_supersteps_start_open_walk(cll_supersteps_walk *walk);

/* Whether anything has been recorded that is in no trace. */
int cll_supersteps_are_there(void);

/* What has been recorded so far is in a trace. */
void cll_supersteps_forget(void);

#endif
