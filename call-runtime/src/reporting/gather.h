/* gather.h: brings what all processors have to report to processor 0, in the order of the processors, along a binomial tree: each processor
 * hands on its own, then what its children have, a piece at a time when its parent asks for it. So nobody holds more than one piece. */
#ifndef CLL_GATHER_H
#define CLL_GATHER_H

#include "../base/waiting.h"
#include "../bsp/superstep_records.h"
#include "../events/event_saving.h"
#include "../program/backend.h"
#include "../measuring/cost.h"
#include "../saving/block.h"
#include "row_source.h"

/* What a processor and those below it in the tree have to report. */
typedef struct {
    uint64_t rows;
    uint64_t abandoned;
    uint64_t late_chunks;
    cll_processor_time processor_time;
    cll_process_cost cost;
    uint64_t fingerprint; /* of the layout */
    int32_t most_processors;
    int32_t differing; /* a processor with another layout; -1: none */
    int32_t has_supersteps;
    int32_t has_events;
} cll_total;

/* What is gathered, one after the other. */
typedef enum { CLL_GATHER_ROWS, CLL_GATHER_SUPERSTEPS, CLL_GATHER_EVENTS } cll_gather_section;

typedef struct {
    const cll_backend *backend;
    const void *place;
    int processor;
    int processors;
    cll_row_source *source;
    cll_block_writer block;
    cll_gather_section section;
    cll_supersteps_walk supersteps;
    cll_events_walk events;
    cll_row left_row; /* did not fit into the last block */
    int has_left_row;
    int own_is_done;
    int distance; /* to the child whose rows come next */
    size_t piece_bytes;
} cll_gathering;

/* Returns with the total of this processor and those below it. */
cll_total cll_gather_start(cll_gathering *gathering, const cll_backend *backend, const void *place, cll_row_source *source);
void cll_gather_release(cll_gathering *gathering);

/* Of rows whole blocks of at most piece_bytes, with times in nanoseconds; of supersteps their text, of events whole lines and
 * blocks; 0 when all have been handed over. On
 * processor 0. */
size_t cll_gather_piece(cll_gathering *gathering, cll_gather_section section, unsigned char *bytes);

/* Tells the others how it ended; on processor 0. */
void cll_gather_finish(cll_gathering *gathering, int is_reported);

/* What the other processors do, beginning with their total: returns whether it was reported. */
int cll_gather_serve(cll_gathering *gathering, const cll_total *total);

#endif
