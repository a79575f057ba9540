/* saving.c: spills measurements when a buffer is full, when some time has passed, and when the program ends without a report. */
#include "saving.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "spill_file.h"
#include "trace.h"

/* A buffer of a recorder makes a smaller block. */
#define BLOCK_BYTES ((size_t)1 << 18)

#define DEFAULT_INTERVAL_NS CLL_NANOSECONDS_PER_SECOND

static int saving_is_wanted = 1;
static int saving_is_on = 1; /* until something cannot be written */
static uint64_t interval_ns = DEFAULT_INTERVAL_NS;
static pid_t process = 0;

/* Names of the experiments that reports have asked for. */
static const char **asked = NULL;
static size_t asked_count = 0;

void cll_saving_start(void)
{
    const char *text = getenv("CALL_SAVE");
    process = getpid();
    if (text == NULL || *text == '\0') {
        return;
    }
    if (strcmp(text, "never") == 0) {
        saving_is_wanted = saving_is_on = 0;
        return;
    }
    char *end;
    double seconds = strtod(text, &end);
    if (*end != '\0' || !(seconds > 0 && seconds <= 1e9)) {
        cll_fail("CALL_SAVE: `%s` is no time: it is the seconds after which measurements are kept in a file, or `never`", text);
    }
    interval_ns = (uint64_t)(seconds * CLL_NANOSECONDS_PER_SECOND);
}

int cll_saving_is_on(void)
{
    return saving_is_on;
}

/* In simulations only full buffers are spilled: time passes for all processors when one of them writes. The counting clock shows no time. */
uint64_t cll_saving_next_ticks(void)
{
#ifdef CLL_SMPI
    return UINT64_MAX;
#else
    if (!saving_is_on || cll_clock_in_use == CLL_CLOCK_COUNTING) {
        return UINT64_MAX;
    }
    return cll_clock_end() + cll_clock_ticks(interval_ns);
#endif
}

/* Of the records of one recorder, in blocks of as many as fit. */
typedef struct {
    cll_spill_file *spill;
    cll_block_writer block;
    unsigned char *bytes;
    const cll_recorder *recorder;
    const cll_layout_source *last;
    int is_all; /* nothing that is complete stays in memory */
} spilling;

/* NULL: the record is not to be spilled. The file of its experiment may not have registered itself yet. */
static const cll_layout_source *find_source(spilling *its, const cll_record *record)
{
    if (cll_record_state(record) != CLL_MEASURED) {
        return NULL;
    }
    return cll_layout_find_again(&its->spill->layout, &its->last, record->experiment);
}

static int is_at(const cll_record_walk *left, const cll_record_walk *right)
{
    return left->chunk == right->chunk && left->offset == right->offset;
}

/* Neighbouring records of one description that are to be spilled, so few that they stay in the first-level cache; or one that is not. */
typedef struct {
    const cll_record *first;
    const cll_layout_source *source; /* NULL: it is not to be spilled */
    uint32_t count;
} record_run;

enum { LONGEST_RUN = 64 };

/* The next run before the end, NULL for that of all records. Returns 0 behind the last one. */
static int next_run(spilling *its, cll_record_walk *walk, const cll_record_walk *end, record_run *run)
{
    if (end != NULL && is_at(walk, end)) {
        return 0;
    }
    const cll_record *record = cll_record_next(its->recorder, walk);
    if (record == NULL) {
        return 0;
    }
    size_t end_bytes = end != NULL && end->chunk == walk->chunk ? end->offset : walk->seen_bytes;
    run->first = record;
    run->source = find_source(its, record);
    run->count = 1;
    while (run->source != NULL && run->count < LONGEST_RUN && walk->offset < end_bytes) {
        record = (const cll_record *)(const void *)(walk->chunk->bytes + walk->offset);
        if (record->experiment != run->first->experiment || cll_record_state(record) != CLL_MEASURED) {
            break;
        }
        run->count++;
        walk->offset += walk->record_bytes;
    }
    return 1;
}

/* Admits what fits; the walk stops behind it. */
static void admit_records(spilling *its, cll_record_walk *walk)
{
    cll_record_walk next = *walk;
    record_run run;
    cll_block_begin(&its->block, BLOCK_BYTES);
    while (next_run(its, &next, NULL, &run)) {
        uint32_t count = run.source == NULL ? 1 : cll_block_admit(&its->block, run.source->experiment, run.count);
        next.offset -= (run.count - count) * next.record_bytes;
        if (count > 0) {
            *walk = next;
        }
        if (count < run.count) {
            return;
        }
        its->is_all = its->is_all && (run.source != NULL || cll_record_state(run.first) == CLL_FORGOTTEN);
    }
}

static void place_records(spilling *its, cll_record_walk walk, const cll_record_walk *end)
{
    record_run run;
    while (next_run(its, &walk, end, &run)) {
        if (run.source == NULL) {
            continue;
        }
        int32_t processors = cll_block_place_records(&its->block, run.source, run.first, run.count, cll_run_processor);
        if (processors > its->spill->most_processors) {
            its->spill->most_processors = processors;
        }
    }
}

static void forget_records(spilling *its, cll_record_walk walk, const cll_record_walk *end)
{
    while (!is_at(&walk, end)) {
        cll_record *record = cll_record_next(its->recorder, &walk);
        const cll_layout_source *source = cll_layout_find_again(&its->spill->layout, &its->last, record->experiment);
        unsigned state = cll_record_state(record);
        if (source != NULL && (state == CLL_MEASURED || state == CLL_ABANDONED)) {
            its->spill->abandoned_of[source->experiment] += state == CLL_ABANDONED;
            cll_record_become(record, CLL_FORGOTTEN);
        }
    }
}

static int has_complete(const cll_recorder *recorder)
{
    cll_record_walk walk = {0};
    const cll_record *record;
    while ((record = cll_record_next(recorder, &walk)) != NULL) {
        unsigned state = cll_record_state(record);
        if (state == CLL_MEASURED || state == CLL_ABANDONED) {
            return 1;
        }
    }
    return 0;
}

/* Returns 0 if it cannot be done. Records whose chunks go at once need not be marked. */
static int spill_blocks(spilling *its, int chunks_may_go)
{
    cll_block_time time = {cll_clock_nanoseconds_per_tick(), cll_clock_subtracted_ns()};
    cll_record_walk first = {0};
    cll_record_walk from = {0};
    cll_record_walk end = {0};
    int goes_well = 1;
    its->is_all = chunks_may_go;
    do {
        from = end;
        admit_records(its, &end);
        size_t count = cll_block_start_rows(&its->block, its->bytes, time);
        place_records(its, from, &end);
        goes_well = count == 0 || cll_spill_append(its->spill, &its->block, its->bytes, count);
        its->is_all = its->is_all && goes_well;
    } while (goes_well && its->block.rows > 0);
    if (!its->is_all) {
        forget_records(its, first, &from);
    }
    return goes_well;
}

/* The same; `is_all`: nothing that is complete stays in memory. */
static int spill_records(const cll_recorder *recorder, int chunks_may_go, int *is_all)
{
    spilling its;
    memset(&its, 0, sizeof its);
    its.spill = cll_spill_open(0);
    its.bytes = its.spill == NULL ? NULL : malloc(BLOCK_BYTES);
    int goes_well = its.bytes != NULL && cll_block_smallest_capacity(&its.spill->layout) <= BLOCK_BYTES;
    if (goes_well) {
        its.recorder = recorder;
        cll_block_writer_start(&its.block, &its.spill->layout, 0);
        goes_well = spill_blocks(&its, chunks_may_go);
        cll_block_writer_release(&its.block);
    }
    free(its.bytes);
    *is_all = its.is_all;
    return goes_well;
}

void cll_saving_summarise(const cll_recorder *recorder)
{
    uint64_t subtracted_ticks = cll_clock_subtracted_ticks();
    cll_summaries *summaries = cll_summaries_open();
    const cll_layout_source *last = NULL;
    cll_record_walk walk = {0};
    cll_record *record;
    while ((record = cll_record_next(recorder, &walk)) != NULL) {
        unsigned state = cll_record_state(record);
        if (state != CLL_MEASURED && state != CLL_ABANDONED) {
            continue;
        }
        const cll_layout_source *source = cll_layout_find_again(&summaries->layout, &last, record->experiment);
        if (source == NULL) {
            continue;
        }
        if (state == CLL_MEASURED) {
            cll_summaries_add(summaries, record, source, subtracted_ticks);
        } else {
            summaries->abandoned_of[source->experiment]++;
        }
        cll_record_become(record, CLL_FORGOTTEN);
    }
}

static int has_summary_of_any(void)
{
    const cll_summaries *summaries = cll_summaries_open();
    int experiment = 0;
    while (experiment < summaries->layout.experiment_count && cll_summaries_count(summaries, experiment) == 0) {
        experiment++;
    }
    return experiment < summaries->layout.experiment_count;
}

int cll_saving_has_rest(void)
{
    int has_rest = 0;
    if (cll_units_first() == NULL) {
        return 0;
    }
    cll_recorders_lock();
    for (const cll_recorder *recorder = cll_recorders_first(); recorder != NULL && !has_rest; recorder = recorder->next) {
        has_rest = has_complete(recorder);
    }
    has_rest = has_rest || cll_spill_has_rows() || (cll_trace_wanted_body() == CLL_SUMMARY_BODY && has_summary_of_any());
    cll_recorders_unlock();
    return has_rest;
}

static uint64_t summaries_due_ticks = 0;

static int replace_summaries(void)
{
    cll_spill_file *spill = cll_spill_open(1);
    return spill != NULL && cll_spill_replace(spill, cll_summaries_open());
}

/* The file is written anew now and then only: it is small, but the same again. */
static int spill_summaries(void)
{
    uint64_t now_ticks = cll_clock_end();
    if (now_ticks < summaries_due_ticks) {
        return 1;
    }
    summaries_due_ticks = now_ticks + cll_clock_ticks(interval_ns);
    return replace_summaries();
}

int cll_saving_spill(const cll_recorder *recorder, int chunks_may_go)
{
    int is_all = 0;
    if (cll_units_first() == NULL || !has_complete(recorder)) {
        return 0;
    }
    cll_clock_calibrate(0);
    if (cll_trace_wanted_body() == CLL_SUMMARY_BODY) {
        cll_saving_summarise(recorder);
        saving_is_on = saving_is_on && spill_summaries();
    } else {
        saving_is_on = saving_is_on && spill_records(recorder, chunks_may_go, &is_all);
    }
    return is_all;
}

void cll_saving_forked(int keep)
{
    process = getpid();
    if (!keep) {
        cll_spill_leave();
        cll_summaries_leave();
    }
}

static int is_asked_for(const char *name)
{
    size_t at = 0;
    while (at < asked_count && strcmp(asked[at], name) != 0) {
        at++;
    }
    return at < asked_count;
}

void cll_saving_reported(const cll_layout *layout)
{
    for (int experiment = 0; experiment < layout->experiment_count; experiment++) {
        const char *name = layout->experiments[experiment].description->name;
        if (!is_asked_for(name)) {
            asked = cll_reallocate(asked, asked_count + 1, sizeof *asked, "the report");
            asked[asked_count++] = name;
        }
    }
}

#if defined(__GNUC__) && !defined(CLL_SMPI)

/* What every report has left out is not missed. */
static int is_missed(const char *name)
{
    return asked_count == 0 || is_asked_for(name);
}

static void forget_others(const cll_recorder *recorder)
{
    cll_record_walk walk = {0};
    cll_record *record;
    while ((record = cll_record_next(recorder, &walk)) != NULL) {
        if (cll_record_state(record) != CLL_OPEN && !is_missed(record->experiment->name)) {
            cll_record_become(record, CLL_FORGOTTEN);
        }
    }
}

/* Returns how many could not be spilled. */
static uint64_t spill_missed(const cll_recorder *recorder)
{
    uint64_t lost = 0;
    cll_record_walk walk = {0};
    const cll_record *record;
    cll_saving_spill(recorder, 0);
    while ((record = cll_record_next(recorder, &walk)) != NULL) {
        lost += cll_record_state(record) == CLL_MEASURED;
    }
    return lost;
}

/* The same of the summaries, which are written once for all threads; what an earlier file holds of them stays. */
static uint64_t spill_missed_summaries(void)
{
    uint64_t missed = 0;
    if (cll_units_first() == NULL) {
        return 0;
    }
    const cll_summaries *summaries = cll_summaries_open();
    for (int experiment = 0; experiment < summaries->layout.experiment_count; experiment++) {
        if (is_missed(summaries->layout.experiments[experiment].description->name)) {
            missed += cll_summaries_count(summaries, experiment);
        }
    }
    return missed == 0 || replace_summaries() ? 0 : missed - cll_spill_rows(is_missed);
}

/* The program has ended by itself, so nothing that it measured has to be lost. */
__attribute__((destructor)) static void spill_the_rest(void)
{
    uint64_t lost = 0;
    if (process != getpid() || !saving_is_wanted) {
        return;
    }
    int has_summaries = cll_trace_wanted_body() == CLL_SUMMARY_BODY;
    cll_recorders_lock();
    saving_is_on = 1;
    for (const cll_recorder *recorder = cll_recorders_first(); recorder != NULL; recorder = recorder->next) {
        forget_others(recorder);
        if (!has_summaries) {
            lost += spill_missed(recorder);
        } else if (cll_units_first() != NULL) {
            cll_clock_calibrate(0);
            cll_saving_summarise(recorder);
        }
    }
    lost += has_summaries ? spill_missed_summaries() : 0;
    cll_spill_end(is_missed);
    cll_recorders_unlock();
    if (lost > 0) {
        cll_tell("%llu %s lost: no report was written, nor another file", (unsigned long long)lost,
                 lost == 1 ? "measurement is" : "measurements are");
    }
}

#endif
