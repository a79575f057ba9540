/* summaries.c: a table of points, found by the hash of their values. */
#include "summaries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../counters/counters.h"

static cll_summaries *own_summaries = NULL;

static const char purpose[] = "the summaries of the measurements";

static void make_layout(cll_summaries *summaries)
{
    cll_layout_make(&summaries->layout, cll_units_first(), NULL, 1);
    size_t value_bytes = (size_t)summaries->layout.most_values * sizeof(cll_value);
    free(summaries->wanted);
    summaries->wanted = cll_allocate(1, sizeof *summaries->wanted + value_bytes, purpose);
    uint64_t *abandoned_of = cll_allocate((size_t)summaries->layout.experiment_count, sizeof *abandoned_of, purpose);
    if (summaries->abandoned_of != NULL) {
        memcpy(abandoned_of, summaries->abandoned_of, summaries->known_experiments * sizeof *abandoned_of);
    }
    free(summaries->abandoned_of);
    summaries->abandoned_of = abandoned_of;
    summaries->known_experiments = (size_t)summaries->layout.experiment_count;
}

/* Files that are loaded later only add experiments at the end. */
cll_summaries *cll_summaries_open(void)
{
    if (own_summaries == NULL) {
        own_summaries = cll_allocate(1, sizeof *own_summaries, purpose);
        make_layout(own_summaries);
    } else if (own_summaries->layout.description_count != cll_units_count()) {
        cll_layout_release(&own_summaries->layout);
        make_layout(own_summaries);
    }
    return own_summaries;
}

cll_summaries *cll_summaries_take(void)
{
    cll_summaries *taken = own_summaries;
    own_summaries = NULL;
    return taken;
}

static void release(cll_summaries *summaries)
{
    for (size_t at = 0; at < summaries->point_count; at++) {
        free(summaries->points[at]);
    }
    cll_layout_release(&summaries->layout);
    free(summaries->points);
    cll_table_release(&summaries->by_values);
    free(summaries->abandoned_of);
    free(summaries->wanted);
    free(summaries);
}

/* By which points are told apart. */
static size_t variables(const cll_summaries *summaries, int experiment)
{
    return (size_t)summaries->layout.experiments[experiment].description->variable_count;
}

static size_t own_values(const cll_summaries *summaries, int experiment)
{
    return (size_t)summaries->layout.experiments[experiment].value_count - CLL_SUMMARY_VALUES;
}

/* The key is the summaries, whose `wanted` is compared. */
static int is_wanted_point(const void *key, uint64_t number)
{
    const cll_summaries *summaries = key;
    const cll_point *left = summaries->points[number];
    const cll_point *right = summaries->wanted;
    return left->experiment == right->experiment && left->thread == right->thread && left->processors == right->processors &&
           memcmp(left->values, right->values, variables(summaries, left->experiment) * sizeof(cll_value)) == 0;
}

/* The values and what else is wanted are those of summaries->wanted. */
static cll_point *add_point(cll_summaries *summaries)
{
    const cll_point *wanted = summaries->wanted;
    size_t value_bytes = own_values(summaries, wanted->experiment) * sizeof *wanted->values;
    if (summaries->point_count == summaries->point_capacity) {
        summaries->point_capacity = summaries->point_capacity == 0 ? 64 : 2 * summaries->point_capacity;
        summaries->points = cll_reallocate(summaries->points, summaries->point_capacity, sizeof *summaries->points, purpose);
    }
    cll_point *made = cll_allocate(1, sizeof *made + value_bytes, purpose);
    made->hash = wanted->hash;
    made->experiment = wanted->experiment;
    made->thread = wanted->thread;
    made->processors = wanted->processors;
    made->stride = 1;
    made->least_ticks = UINT64_MAX;
    memcpy(made->values, wanted->values, variables(summaries, wanted->experiment) * sizeof *wanted->values);
    cll_table_reserve(&summaries->by_values, summaries->point_count + 1, purpose);
    cll_table_add(&summaries->by_values, made->hash, summaries->point_count);
    summaries->points[summaries->point_count++] = made;
    return made;
}

/* That of summaries->wanted, made if there is none. */
static cll_point *wanted_point(cll_summaries *summaries)
{
    uint64_t found = cll_table_find(&summaries->by_values, summaries->wanted->hash, is_wanted_point, summaries);
    return found == CLL_TABLE_NONE ? add_point(summaries) : summaries->points[found];
}

/* Every second sample goes, by turns the first or the second of each pair, so that the rest stays spread over the run. */
static void thin_samples(cll_point *point)
{
    uint32_t first = point->offset < point->stride / 2 || point->stride == 1 ? 1 : 0;
    for (uint32_t sample = 0; sample < CLL_SUMMARY_SAMPLES / 2; sample++) {
        point->samples_ticks[sample] = point->samples_ticks[2 * sample + first];
    }
    point->sample_count = CLL_SUMMARY_SAMPLES / 2;
    point->offset += first * point->stride;
    point->stride *= 2;
}

static void add_sample(cll_point *point, uint64_t ticks)
{
    if (point->measured % point->stride == point->offset && point->sample_count == CLL_SUMMARY_SAMPLES) {
        thin_samples(point);
    }
    if (point->measured % point->stride == point->offset) {
        point->samples_ticks[point->sample_count++] = ticks;
    }
}

static void add_time(cll_point *point, uint64_t ticks, uint64_t executions)
{
    add_sample(point, ticks);
    point->measured++;
    point->count += executions;
    point->sum_ticks += executions * ticks;
    point->sum_square_ticks += (double)executions * (double)ticks * (double)ticks;
    if (ticks < point->least_ticks) {
        point->least_ticks = ticks;
    }
    if (ticks > point->most_ticks) {
        point->most_ticks = ticks;
    }
}

void cll_summaries_add(cll_summaries *summaries, const cll_record *record, const cll_layout_source *source, uint64_t subtracted_ticks)
{
    const cll_layout_experiment *experiment = &summaries->layout.experiments[source->experiment];
    const cll_row row = {.values = record->values, .order = source->order, .representations = source->representations};
    uint64_t ticks = record->is.elapsed_ticks;
    cll_point *wanted = summaries->wanted;
    wanted->experiment = source->experiment;
    wanted->thread = record->thread;
    wanted->processors = record->processors;
    wanted->hash = cll_hash_word(cll_hash_word((uint64_t)source->experiment, record->thread), (uint64_t)record->processors);
    for (size_t value = 0; value < variables(summaries, source->experiment); value++) {
        wanted->values[value] = cll_row_value(&row, (int)value, experiment->representations[value]);
        wanted->hash = cll_hash_word(wanted->hash, wanted->values[value].natural);
    }
    cll_point *found = wanted_point(summaries);
    uint64_t executions = cll_record_executions(record);
    add_time(found, ticks < subtracted_ticks ? 0 : ticks - subtracted_ticks, executions);
    for (size_t value = variables(summaries, source->experiment); value < own_values(summaries, source->experiment); value++) {
        uint64_t counted = cll_row_value(&row, (int)value, CLL_NATURAL).natural;
        found->values[value].real += counted == CLL_COUNTER_MISSING ? NAN : (double)executions * (double)counted;
    }
}

void cll_summaries_forget(cll_summaries *summaries, const cll_layout *reported)
{
    size_t left = 0;
    cll_table_clear(&summaries->by_values);
    for (size_t at = 0; at < summaries->point_count; at++) {
        if (cll_layout_match(reported, &summaries->layout, summaries->points[at]->experiment) >= 0) {
            free(summaries->points[at]);
        } else {
            cll_table_add(&summaries->by_values, summaries->points[at]->hash, left);
            summaries->points[left++] = summaries->points[at];
        }
    }
    summaries->point_count = left;
    for (int experiment = 0; experiment < summaries->layout.experiment_count; experiment++) {
        if (cll_layout_match(reported, &summaries->layout, experiment) >= 0) {
            summaries->abandoned_of[experiment] = 0;
        }
    }
}

static void merge_point(const cll_summaries *summaries, cll_point *into, const cll_point *from)
{
    for (size_t value = variables(summaries, from->experiment); value < own_values(summaries, from->experiment); value++) {
        into->values[value].real += from->values[value].real;
    }
    into->measured += from->measured;
    into->count += from->count;
    into->sum_ticks += from->sum_ticks;
    into->sum_square_ticks += from->sum_square_ticks;
    into->least_ticks = from->least_ticks < into->least_ticks ? from->least_ticks : into->least_ticks;
    into->most_ticks = from->most_ticks > into->most_ticks ? from->most_ticks : into->most_ticks;
    into->stride = from->stride > into->stride ? from->stride : into->stride;
    for (uint32_t sample = 0; sample < from->sample_count && into->sample_count < CLL_SUMMARY_SAMPLES; sample++) {
        into->samples_ticks[into->sample_count++] = from->samples_ticks[sample];
    }
}

void cll_summaries_leave(void)
{
    if (own_summaries != NULL) {
        release(cll_summaries_take());
    }
}

/* Others may have come meanwhile, in another table: they join the older ones. */
void cll_summaries_give_back(cll_summaries *summaries)
{
    cll_summaries *later = own_summaries;
    if (summaries == NULL) {
        return;
    }
    own_summaries = summaries;
    for (size_t at = 0; later != NULL && at < later->point_count; at++) {
        const cll_point *from = later->points[at];
        memcpy(summaries->wanted, from, sizeof *from + own_values(later, from->experiment) * sizeof *from->values);
        merge_point(summaries, wanted_point(summaries), from);
    }
    if (later != NULL) {
        release(later);
    }
}

static void describe_point(const cll_point *point, cll_value *extra, uint64_t *mean_ns)
{
    double seconds_per_tick = cll_clock_nanoseconds_per_tick() / CLL_NANOSECONDS_PER_SECOND;
    uint64_t sum_ns = cll_clock_nanoseconds(point->sum_ticks);
    extra[CLL_SUMMARY_COUNT].natural = point->count;
    extra[CLL_SUMMARY_SUM].natural = sum_ns;
    extra[CLL_SUMMARY_SQUARES].real = point->sum_square_ticks * seconds_per_tick * seconds_per_tick;
    extra[CLL_SUMMARY_LEAST].natural = cll_clock_nanoseconds(point->least_ticks);
    extra[CLL_SUMMARY_MOST].natural = cll_clock_nanoseconds(point->most_ticks);
    *mean_ns = (sum_ns + point->count / 2) / point->count;
}

int cll_summaries_next(const cll_summaries *summaries, cll_summary_walk *walk, cll_row *row)
{
    if (walk->point == summaries->point_count) {
        return 0;
    }
    const cll_point *point = summaries->points[walk->point];
    const cll_layout_experiment *experiment = &summaries->layout.experiments[point->experiment];
    size_t count = own_values(summaries, point->experiment);
    if (walk->values == NULL) {
        walk->values = cll_allocate((size_t)summaries->layout.most_values, sizeof *walk->values, purpose);
    }
    memcpy(walk->values, point->values, count * sizeof *walk->values);
    memset(walk->values + count, 0, CLL_SUMMARY_VALUES * sizeof *walk->values);
    row->experiment = point->experiment;
    row->processor = point->thread;
    row->processors = point->processors;
    row->values = walk->values;
    row->order = NULL;
    row->representations = experiment->representations;
    for (size_t value = variables(summaries, point->experiment); value < count; value++) {
        walk->values[value].real = walk->sample == 0 ? walk->values[value].real / (double)point->count : NAN;
    }
    if (walk->sample == 0) {
        describe_point(point, walk->values + count, &row->time);
    } else {
        row->time = cll_clock_nanoseconds(point->samples_ticks[walk->sample - 1]);
    }
    walk->sample++;
    if (walk->sample > point->sample_count) {
        walk->sample = 0;
        walk->point++;
    }
    return 1;
}

void cll_summary_walk_release(cll_summary_walk *walk)
{
    free(walk->values);
}

uint64_t cll_summaries_count(const cll_summaries *summaries, int experiment)
{
    uint64_t count = 0;
    for (size_t at = 0; at < summaries->point_count; at++) {
        count += summaries->points[at]->experiment == experiment ? summaries->points[at]->count : 0;
    }
    return count;
}
