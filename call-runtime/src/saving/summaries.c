/* summaries.c: a table of points, found by the hash of their values. */
#include "summaries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../counters/counters.h"
#include "../base/fail.h"

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
    free(summaries->buckets);
    free(summaries->abandoned_of);
    free(summaries->wanted);
    free(summaries);
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
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

static int is_same(const cll_summaries *summaries, const cll_point *left, const cll_point *right)
{
    return left->hash == right->hash && left->experiment == right->experiment && left->thread == right->thread &&
           left->processors == right->processors &&
           memcmp(left->values, right->values, variables(summaries, left->experiment) * sizeof(cll_value)) == 0;
}

static void grow_buckets(cll_summaries *summaries)
{
    free(summaries->buckets);
    summaries->bucket_count = summaries->bucket_count == 0 ? 64 : 4 * summaries->bucket_count;
    summaries->buckets = cll_allocate(summaries->bucket_count, sizeof *summaries->buckets, purpose);
    for (size_t at = 0; at < summaries->point_count; at++) {
        cll_point **bucket = &summaries->buckets[summaries->points[at]->hash % summaries->bucket_count];
        summaries->points[at]->next = *bucket;
        *bucket = summaries->points[at];
    }
}

/* The values and what else is wanted are those of summaries->wanted. */
static cll_point *add_point(cll_summaries *summaries)
{
    const cll_point *wanted = summaries->wanted;
    size_t value_bytes = own_values(summaries, wanted->experiment) * sizeof *wanted->values;
    if (summaries->point_count == summaries->point_capacity) {
        summaries->point_capacity = summaries->point_capacity == 0 ? 64 : 2 * summaries->point_capacity;
        summaries->points = realloc(summaries->points, summaries->point_capacity * sizeof *summaries->points);
        if (summaries->points == NULL) {
            cll_fail("no memory for %s", purpose);
        }
    }
    cll_point *made = cll_allocate(1, sizeof *made + value_bytes, purpose);
    made->hash = wanted->hash;
    made->experiment = wanted->experiment;
    made->thread = wanted->thread;
    made->processors = wanted->processors;
    made->stride = 1;
    made->least_ticks = UINT64_MAX;
    memcpy(made->values, wanted->values, variables(summaries, wanted->experiment) * sizeof *wanted->values);
    summaries->points[summaries->point_count++] = made;
    if (summaries->point_count > summaries->bucket_count) {
        grow_buckets(summaries);
    } else {
        cll_point **bucket = &summaries->buckets[made->hash % summaries->bucket_count];
        made->next = *bucket;
        *bucket = made;
    }
    return made;
}

static cll_point *find_point(cll_summaries *summaries, const cll_point *wanted)
{
    cll_point *found = summaries->bucket_count == 0 ? NULL : summaries->buckets[wanted->hash % summaries->bucket_count];
    while (found != NULL && !is_same(summaries, found, wanted)) {
        found = found->next;
    }
    return found;
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
    if (point->count % point->stride == point->offset && point->sample_count == CLL_SUMMARY_SAMPLES) {
        thin_samples(point);
    }
    if (point->count % point->stride == point->offset) {
        point->samples_ticks[point->sample_count++] = ticks;
    }
}

static void add_time(cll_point *point, uint64_t ticks)
{
    add_sample(point, ticks);
    point->count++;
    point->sum_ticks += ticks;
    point->sum_square_ticks += (double)ticks * (double)ticks;
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
    wanted->hash = mixed(mixed((uint64_t)source->experiment, record->thread), (uint64_t)record->processors);
    for (size_t value = 0; value < variables(summaries, source->experiment); value++) {
        wanted->values[value] = cll_row_value(&row, (int)value, experiment->representations[value]);
        wanted->hash = mixed(wanted->hash, wanted->values[value].natural);
    }
    cll_point *found = find_point(summaries, wanted);
    found = found == NULL ? add_point(summaries) : found;
    add_time(found, ticks < subtracted_ticks ? 0 : ticks - subtracted_ticks);
    for (size_t value = variables(summaries, source->experiment); value < own_values(summaries, source->experiment); value++) {
        uint64_t counted = cll_row_value(&row, (int)value, CLL_NATURAL).natural;
        found->values[value].real += counted == CLL_COUNTER_MISSING ? NAN : (double)counted;
    }
}

void cll_summaries_forget(cll_summaries *summaries, const cll_layout *reported)
{
    size_t left = 0;
    for (size_t at = 0; at < summaries->point_count; at++) {
        if (cll_layout_match(reported, &summaries->layout, summaries->points[at]->experiment) >= 0) {
            free(summaries->points[at]);
        } else {
            summaries->points[left++] = summaries->points[at];
        }
    }
    summaries->point_count = left;
    for (int experiment = 0; experiment < summaries->layout.experiment_count; experiment++) {
        if (cll_layout_match(reported, &summaries->layout, experiment) >= 0) {
            summaries->abandoned_of[experiment] = 0;
        }
    }
    summaries->bucket_count = 0;
    while (summaries->bucket_count < left) {
        grow_buckets(summaries);
    }
}

static void merge_point(const cll_summaries *summaries, cll_point *into, const cll_point *from)
{
    for (size_t value = variables(summaries, from->experiment); value < own_values(summaries, from->experiment); value++) {
        into->values[value].real += from->values[value].real;
    }
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
        cll_point *found = find_point(summaries, from);
        merge_point(summaries, found == NULL ? add_point(summaries) : found, from);
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
