/* holding.h: what this process brings into a report: what it kept in files, then what is in memory. */
#ifndef CLL_HOLDING_H
#define CLL_HOLDING_H

#include "../saving/block.h"
#include "collection.h"
#include "../saving/spill_file.h"

typedef struct {
    const cll_layout *layout; /* of the report */
    int has_teams;
    int32_t processor; /* that the rows are of where there are no teams */
    cll_kept *kept;
    cll_summaries *summaries; /* then the two others have no rows */
    cll_collection records;
    uint64_t rows;
    uint64_t abandoned;
    int32_t most_processors;

    /* Where the rows have been read to. */
    const cll_kept *at_kept;
    cll_kept_walk walk;
    cll_block_reader reader;
    int *experiments; /* for each experiment of the file or the summaries that are read: its number in the report, or -1 */
    cll_summary_walk summary_walk;
    size_t at_record;
    const cll_layout_source *last;
} cll_holding;

/* Takes everything that the layout covers. */
void cll_holding_take(cll_holding *holding, const cll_layout *layout, int has_teams, int32_t processor);

/* The next row, with its time in nanoseconds; 0 at the end. It stays until the next call. */
int cll_holding_next(cll_holding *holding, cll_row *row);

/* The rows have been reported, or have to be kept for another report. */
void cll_holding_forget(cll_holding *holding);
void cll_holding_give_back(cll_holding *holding);

#endif
