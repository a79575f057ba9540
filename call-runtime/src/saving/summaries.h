/* summaries.h: instead of every measurement, what those at one point have in common: their number, sum, sum of squares, smallest and largest
 * time, and a few of them. */
#ifndef CLL_SUMMARIES_H
#define CLL_SUMMARIES_H

#include "../base/table.h"
#include "layout.h"

/* Measurements of one experiment with equal values, on one processor of machines or teams of one size. */
typedef struct cll_point {
    uint64_t hash;
    int experiment;
    int32_t thread;
    int32_t processors;
    uint32_t stride; /* every so many measurements one was kept as a sample */
    uint32_t offset; /* the first one */
    uint32_t sample_count;
    uint64_t measured;
    uint64_t count; /* of executions that these stand for */
    uint64_t sum_ticks;
    double sum_square_ticks;
    uint64_t least_ticks;
    uint64_t most_ticks;
    uint64_t samples_ticks[CLL_SUMMARY_SAMPLES];
    cll_value values[]; /* variables, then the sums of the counters as doubles */
} cll_point;

typedef struct {
    cll_layout layout; /* of all experiments that were known when the first measurement came */
    cll_point **points; /* in the order of their first measurement */
    size_t point_count;
    size_t point_capacity;
    cll_table by_values;    /* numbers of points */
    uint64_t *abandoned_of; /* each experiment */
    size_t known_experiments;
    cll_point *wanted;      /* what is looked for */
} cll_summaries;

/* Those of this process. The recorders are locked, and there is a unit. */
cll_summaries *cll_summaries_open(void);
cll_summaries *cll_summaries_take(void);

/* They are another process's from now on. */
void cll_summaries_leave(void);

/* What is left of those that were taken; NULL is nothing. */
void cll_summaries_give_back(cll_summaries *summaries);

/* Adds the record, whose time is shortened by subtracted_ticks. */
void cll_summaries_add(cll_summaries *summaries, const cll_record *record, const cll_layout_source *source, uint64_t subtracted_ticks);

/* Forgets the points of the reported experiments. */
void cll_summaries_forget(cll_summaries *summaries, const cll_layout *reported);

/* Gives each point as a row, and then its samples. Start with a zeroed one, to be released. Times are in nanoseconds. */
typedef struct {
    size_t point;
    uint32_t sample; /* plus 1; 0: the point itself comes next */
    cll_value *values;
} cll_summary_walk;

int cll_summaries_next(const cll_summaries *summaries, cll_summary_walk *walk, cll_row *row);
void cll_summary_walk_release(cll_summary_walk *walk);

/* Number of measurements that the points of an experiment stand for. */
uint64_t cll_summaries_count(const cll_summaries *summaries, int experiment);

#endif
