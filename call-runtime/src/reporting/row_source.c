/* holding.c: reads files and records of this process as one sequence of rows. */
#include "row_source.h"

#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../recording/recorder.h"
#include "../saving/saving.h"

static int is_covered(void *context, const cll_record *record)
{
    cll_holding *holding = context;
    return cll_layout_find_again(holding->layout, &holding->last, record->experiment) != NULL;
}

static void count_record(cll_holding *holding, const cll_record *record)
{
    if (cll_record_state(record) == CLL_ABANDONED_TAKEN) {
        holding->abandoned++;
        return;
    }
    holding->rows++;
    if (record->processors > holding->most_processors) {
        holding->most_processors = record->processors;
    }
}

static void count_kept(cll_holding *holding, const cll_kept *kept)
{
    for (int experiment = 0; experiment < kept->layout.experiment_count; experiment++) {
        if (cll_layout_match(holding->layout, &kept->layout, experiment) >= 0) {
            holding->rows += kept->rows_of[experiment];
            holding->abandoned += kept->abandoned_of[experiment];
        }
    }
    if (kept->most_processors > holding->most_processors) {
        holding->most_processors = kept->most_processors;
    }
}

static int *match_experiments(const cll_holding *holding, const cll_layout *layout)
{
    int *numbers = cll_allocate((size_t)layout->experiment_count, sizeof *numbers, "the report");
    for (int experiment = 0; experiment < layout->experiment_count; experiment++) {
        numbers[experiment] = cll_layout_match(holding->layout, layout, experiment);
    }
    return numbers;
}

static void count_summaries(cll_holding *holding)
{
    cll_summary_walk walk = {0};
    cll_row row;
    holding->experiments = match_experiments(holding, &holding->summaries->layout);
    while (cll_summaries_next(holding->summaries, &walk, &row)) {
        if (holding->experiments[row.experiment] < 0) {
            continue;
        }
        holding->rows++;
        if (row.processors > holding->most_processors) {
            holding->most_processors = row.processors;
        }
    }
    cll_summary_walk_release(&walk);
    for (int experiment = 0; experiment < holding->summaries->layout.experiment_count; experiment++) {
        if (holding->experiments[experiment] >= 0) {
            holding->abandoned += holding->summaries->abandoned_of[experiment];
        }
    }
}

/* Everything that is complete becomes a summary, whether the report covers it or not. */
static cll_summaries *take_summaries(void)
{
    for (const cll_recorder *recorder = cll_recorders_first(); recorder != NULL; recorder = recorder->next) {
        cll_saving_summarise(recorder);
    }
    return cll_summaries_take();
}

void cll_holding_take(cll_holding *holding, const cll_layout *layout, int has_teams, int32_t processor)
{
    memset(holding, 0, sizeof *holding);
    holding->layout = layout;
    holding->has_teams = has_teams;
    holding->processor = processor;
    holding->most_processors = 1;
    cll_recorders_lock();
    cll_clock_calibrate(1);
    cll_saving_reported(layout);
    if (layout->has_summaries) {
        holding->summaries = take_summaries();
    }
    holding->kept = cll_kept_take();
    cll_collection_take(&holding->records, is_covered, holding, has_teams);
    cll_recorders_unlock();
    for (const cll_kept *kept = holding->kept; kept != NULL && !layout->has_summaries; kept = kept->next) {
        count_kept(holding, kept);
    }
    if (holding->summaries != NULL) {
        count_summaries(holding);
    }
    for (size_t at = 0; at < holding->records.count; at++) {
        count_record(holding, holding->records.records[at]);
    }
    holding->at_kept = layout->has_summaries ? NULL : holding->kept;
}

static void open_kept(cll_holding *holding)
{
    holding->walk.at = holding->at_kept;
    cll_block_reader_start(&holding->reader, &holding->at_kept->layout);
    holding->experiments = match_experiments(holding, &holding->at_kept->layout);
}

static void close_kept(cll_holding *holding)
{
    cll_block_reader_release(&holding->reader);
    free(holding->experiments);
    holding->experiments = NULL;
    holding->at_kept = holding->at_kept->next;
}

/* The next row of the file that is read, whether the report covers it or not. */
static int next_in_file(cll_holding *holding, cll_row *row)
{
    while (!cll_block_next(&holding->reader, row)) {
        size_t count = cll_kept_next(&holding->walk);
        if (count == 0) {
            return 0;
        }
        if (!cll_block_open(&holding->reader, holding->walk.bytes, count)) {
            cll_tell("%s was changed while the program ran: a part of it is not in the report", holding->at_kept->path);
            cll_fail_at_end();
        }
    }
    return 1;
}

static int next_kept(cll_holding *holding, cll_row *row)
{
    while (holding->at_kept != NULL) {
        if (holding->experiments == NULL) {
            open_kept(holding);
        }
        while (next_in_file(holding, row)) {
            if (holding->experiments[row->experiment] >= 0) {
                row->experiment = holding->experiments[row->experiment];
                return 1;
            }
        }
        close_kept(holding);
    }
    return 0;
}

static int next_record(cll_holding *holding, cll_row *row)
{
    while (holding->at_record < holding->records.count) {
        const cll_record *record = holding->records.records[holding->at_record++];
        if (cll_record_state(record) == CLL_MEASURED_TAKEN && is_covered(holding, record)) {
            row->experiment = holding->last->experiment;
            row->processor = record->thread;
            row->processors = record->processors;
            row->time = record->is.elapsed_ticks;
            row->values = record->values;
            row->order = holding->last->order;
            row->representations = holding->last->representations;
            return 1;
        }
    }
    return 0;
}

static int next_summary(cll_holding *holding, cll_row *row)
{
    while (holding->summaries != NULL && cll_summaries_next(holding->summaries, &holding->summary_walk, row)) {
        if (holding->experiments[row->experiment] >= 0) {
            row->experiment = holding->experiments[row->experiment];
            return 1;
        }
    }
    return 0;
}

static int next_measurement(cll_holding *holding, cll_row *row)
{
    if (!next_kept(holding, row) && !next_record(holding, row)) {
        return 0;
    }
    row->time = cll_clock_nanoseconds(row->time);
    return 1;
}

int cll_holding_next(cll_holding *holding, cll_row *row)
{
    if (!(holding->layout->has_summaries ? next_summary(holding, row) : next_measurement(holding, row))) {
        return 0;
    }
    if (!holding->has_teams) {
        row->processor = holding->processor;
    }
    return 1;
}

static void stop_reading(cll_holding *holding)
{
    if (holding->at_kept != NULL && holding->experiments != NULL) {
        close_kept(holding);
    }
    free(holding->experiments);
    cll_kept_walk_release(&holding->walk);
    cll_summary_walk_release(&holding->summary_walk);
}

void cll_holding_forget(cll_holding *holding)
{
    stop_reading(holding);
    cll_recorders_lock();
    cll_collection_forget(&holding->records);
    if (holding->summaries != NULL) {
        cll_summaries_forget(holding->summaries, holding->layout);
        cll_summaries_give_back(holding->summaries);
    }
    cll_kept_forget(holding->kept, holding->layout);
    cll_recorders_unlock();
    cll_collection_release(&holding->records);
}

void cll_holding_give_back(cll_holding *holding)
{
    stop_reading(holding);
    cll_recorders_lock();
    cll_collection_give_back(&holding->records);
    cll_summaries_give_back(holding->summaries);
    cll_kept_give_back(holding->kept);
    cll_recorders_unlock();
    cll_collection_release(&holding->records);
}
