/* row_source.c: reads files and records of this process as one sequence of rows. */
#include "row_source.h"

#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../recording/left_open.h"
#include "../recording/recorder.h"
#include "../saving/saving.h"

static int is_covered(void *context, const cll_record *record)
{
    cll_row_source *source = context;
    return cll_layout_find_again(source->layout, &source->last, record->experiment) != NULL;
}

static void count_record(cll_row_source *source, const cll_record *record)
{
    if (cll_record_state(record) == CLL_ABANDONED_TAKEN) {
        source->abandoned++;
        return;
    }
    source->rows++;
    if (record->processors > source->most_processors) {
        source->most_processors = record->processors;
    }
}

static void count_spill(cll_row_source *source, const cll_spill_file *spill)
{
    for (int experiment = 0; experiment < spill->layout.experiment_count; experiment++) {
        if (cll_layout_match(source->layout, &spill->layout, experiment) >= 0) {
            source->rows += spill->rows_of[experiment];
            source->abandoned += spill->abandoned_of[experiment];
        }
    }
    if (spill->most_processors > source->most_processors) {
        source->most_processors = spill->most_processors;
    }
}

static int *match_experiments(const cll_row_source *source, const cll_layout *layout)
{
    int *numbers = cll_allocate((size_t)layout->experiment_count, sizeof *numbers, "the report");
    for (int experiment = 0; experiment < layout->experiment_count; experiment++) {
        numbers[experiment] = cll_layout_match(source->layout, layout, experiment);
    }
    return numbers;
}

static void count_summaries(cll_row_source *source)
{
    cll_summary_walk walk = {0};
    cll_row row;
    source->experiments = match_experiments(source, &source->summaries->layout);
    while (cll_summaries_next(source->summaries, &walk, &row)) {
        if (source->experiments[row.experiment] < 0) {
            continue;
        }
        source->rows++;
        if (row.processors > source->most_processors) {
            source->most_processors = row.processors;
        }
    }
    cll_summary_walk_release(&walk);
    for (int experiment = 0; experiment < source->summaries->layout.experiment_count; experiment++) {
        if (source->experiments[experiment] >= 0) {
            source->abandoned += source->summaries->abandoned_of[experiment];
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

/* Only the threads of teams are known not to be in the midst of a measurement: they wait for the report, or for work. */
static void count_open(cll_row_source *source)
{
    for (const cll_recorder *recorder = cll_recorders_first(); recorder != NULL; recorder = recorder->next) {
        cll_record_walk walk = {0};
        cll_record *record;
        while ((source->has_teams || recorder == cll_own_recorder) && (record = cll_record_next(recorder, &walk)) != NULL) {
            if (is_covered(source, record) && cll_record_count_open(record)) {
                cll_left_open(record->experiment, NULL);
                source->abandoned++;
            }
        }
    }
}

void cll_row_source_take(cll_row_source *source, const cll_layout *layout, const cll_backend *backend, const void *place)
{
    int is_whole_run = backend->processors(place) == cll_run_processors;
    memset(source, 0, sizeof *source);
    source->layout = layout;
    source->has_teams = backend->has_teams;
    source->processor = backend->processor(place);
    source->most_processors = 1;
    cll_recorders_lock();
    cll_clock_calibrate(1);
    cll_saving_reported(layout);
    if (layout->has_summaries) {
        source->summaries = take_summaries();
    }
    source->report = is_whole_run ? cll_spill_count_report() : 0;
    source->spill = cll_spill_take();
    cll_collection_take(&source->records, is_covered, source, backend->has_teams);
    count_open(source);
    cll_recorders_unlock();
    for (const cll_spill_file *spill = source->spill; spill != NULL && !layout->has_summaries; spill = spill->next) {
        count_spill(source, spill);
    }
    if (source->summaries != NULL) {
        count_summaries(source);
    }
    for (size_t at = 0; at < source->records.count; at++) {
        count_record(source, source->records.records[at]);
    }
    source->at_spill = layout->has_summaries ? NULL : source->spill;
}

static void open_spill(cll_row_source *source)
{
    source->walk.at = source->at_spill;
    cll_block_reader_start(&source->reader, &source->at_spill->layout);
    source->experiments = match_experiments(source, &source->at_spill->layout);
}

static void close_spill(cll_row_source *source)
{
    cll_block_reader_release(&source->reader);
    free(source->experiments);
    source->experiments = NULL;
    source->at_spill = source->at_spill->next;
}

/* The next row of the file that is read, whether the report covers it or not. */
static int next_in_file(cll_row_source *source, cll_row *row)
{
    while (!cll_block_next(&source->reader, row)) {
        size_t count = cll_spill_next(&source->walk);
        if (count == 0) {
            return 0;
        }
        if (!cll_block_open(&source->reader, source->walk.bytes, count)) {
            cll_tell("%s was changed while the program ran: a part of it is not in the report", source->at_spill->path);
            cll_fail_at_end();
        }
    }
    return 1;
}

static int next_spilled(cll_row_source *source, cll_row *row)
{
    while (source->at_spill != NULL) {
        if (source->experiments == NULL) {
            open_spill(source);
        }
        while (next_in_file(source, row)) {
            if (source->experiments[row->experiment] >= 0) {
                row->experiment = source->experiments[row->experiment];
                return 1;
            }
        }
        close_spill(source);
    }
    return 0;
}

static int next_record(cll_row_source *source, cll_row *row)
{
    while (source->at_record < source->records.count) {
        const cll_record *record = source->records.records[source->at_record++];
        if (cll_record_state(record) == CLL_MEASURED_TAKEN && is_covered(source, record)) {
            row->experiment = source->last->experiment;
            row->processor = record->thread;
            row->processors = record->processors;
            row->time = record->is.elapsed_ticks;
            row->values = record->values;
            row->order = source->last->order;
            row->representations = source->last->representations;
            return 1;
        }
    }
    return 0;
}

static int next_summary(cll_row_source *source, cll_row *row)
{
    while (source->summaries != NULL && cll_summaries_next(source->summaries, &source->summary_walk, row)) {
        if (source->experiments[row->experiment] >= 0) {
            row->experiment = source->experiments[row->experiment];
            return 1;
        }
    }
    return 0;
}

static int next_measurement(cll_row_source *source, cll_row *row)
{
    if (!next_spilled(source, row) && !next_record(source, row)) {
        return 0;
    }
    row->time = cll_clock_nanoseconds(row->time);
    return 1;
}

int cll_row_source_next(cll_row_source *source, cll_row *row)
{
    if (!(source->layout->has_summaries ? next_summary(source, row) : next_measurement(source, row))) {
        return 0;
    }
    if (!source->has_teams) {
        row->processor = source->processor;
    }
    return 1;
}

static void stop_reading(cll_row_source *source)
{
    if (source->at_spill != NULL && source->experiments != NULL) {
        close_spill(source);
    }
    free(source->experiments);
    cll_spill_walk_release(&source->walk);
    cll_summary_walk_release(&source->summary_walk);
}

void cll_row_source_forget(cll_row_source *source)
{
    stop_reading(source);
    cll_recorders_lock();
    cll_collection_forget(&source->records);
    if (source->summaries != NULL) {
        cll_summaries_forget(source->summaries, source->layout);
        cll_summaries_give_back(source->summaries);
    }
    cll_spill_forget(source->spill, source->layout);
    cll_recorders_unlock();
    cll_collection_release(&source->records);
}

void cll_row_source_give_back(cll_row_source *source)
{
    stop_reading(source);
    cll_recorders_lock();
    cll_collection_give_back(&source->records);
    cll_summaries_give_back(source->summaries);
    cll_spill_give_back(source->spill);
    cll_recorders_unlock();
    cll_collection_release(&source->records);
}
