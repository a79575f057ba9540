/* row_source.h: the rows that this process brings into a report: those in its spill files, then those in memory. */
#ifndef CLL_ROW_SOURCE_H
#define CLL_ROW_SOURCE_H

#include "../program/backend.h"
#include "../saving/block.h"
#include "../saving/spill_file.h"
#include "collection.h"

typedef struct {
    const cll_layout *layout; /* of the report */
    int has_teams;
    int32_t processor; /* that the rows are of where there are no teams */
    uint64_t report;   /* number of the report if the whole run takes part in it, else 0 */
    cll_spill_file *spill;
    cll_summaries *summaries; /* then the two others have no rows */
    cll_collection records;
    uint64_t rows;
    uint64_t abandoned;
    int32_t most_processors;

    /* Where the rows have been read to. */
    const cll_spill_file *at_spill;
    cll_spill_walk walk;
    cll_block_reader reader;
    int *experiments; /* for each experiment of the file or the summaries that are read: its number in the report, or -1 */
    cll_summary_walk summary_walk;
    size_t at_record;
    const cll_layout_source *last;
} cll_row_source;

/* Takes everything that the layout covers. */
void cll_row_source_take(cll_row_source *source, const cll_layout *layout, const cll_backend *backend, const void *place);

/* The next row, with its time in nanoseconds; 0 at the end. It stays until the next call. */
int cll_row_source_next(cll_row_source *source, cll_row *row);

/* The rows have been reported, or stay for another report. */
void cll_row_source_forget(cll_row_source *source);
void cll_row_source_give_back(cll_row_source *source);

#endif
