/* layout.h: the experiments that a trace covers, and where their values stand in it. */
#ifndef CLL_LAYOUT_H
#define CLL_LAYOUT_H

#include "../program/units.h"
#include "../recording/recorder.h"

/* The values of an experiment are its variables, its counters, and in summaries those below, else with a budget the executions that a row
 * stands for. */

/* Values of a point that stands for several measurements, behind those of its experiment: times in nanoseconds, their squares in square
 * seconds. A measurement that is kept as a sample has the number 0. */
enum { CLL_SUMMARY_COUNT, CLL_SUMMARY_SUM, CLL_SUMMARY_SQUARES, CLL_SUMMARY_LEAST, CLL_SUMMARY_MOST, CLL_SUMMARY_VALUES };

/* So many samples of a point are kept at most. */
#define CLL_SUMMARY_SAMPLES 16

/* An experiment of the trace, whose values stand in the order of its first description. */
typedef struct {
    const cll_experiment *description; /* the first one */
    int value_count;
    cll_representation *representations; /* of each value */
    int *columns;                        /* for each column of the trace, variables and counters: number of the value, or -1 */
    int processors_value;                /* number of its variable P, or -1 */
} cll_layout_experiment;

/* How a description of an experiment keeps the values. */
typedef struct {
    const cll_experiment *description;
    int experiment;                      /* number in the layout */
    int *order;                          /* for each value of the experiment: its number among those of a record */
    cll_representation *representations; /* for each value of the experiment: how a record keeps it */
} cll_layout_source;

typedef struct {
    const cll_unit *unit; /* that the trace is named after */
    int description_count;
    cll_description *descriptions; /* of the experiments of all units */
    unsigned char *is_selected;    /* for each description */
    int experiment_count;
    cll_layout_experiment *experiments;
    int source_count;
    cll_layout_source *sources; /* by address of the description */
    int variable_columns;
    int columns;               /* of variables, then of counters */
    const char **column_names; /* in the order of their first mention, without P */
    int most_values;           /* of an experiment */
    int has_summaries;
} cll_layout;

/* `names`: experiments, blank between; NULL for all. Fails if a name is unknown. */
void cll_layout_make(cll_layout *layout, const cll_unit *unit, const char *names, int has_summaries);
void cll_layout_release(cll_layout *layout);

/* NULL if the layout leaves the experiment out. */
const cll_layout_source *cll_layout_find(const cll_layout *layout, const cll_experiment *description);

/* The same; mostly it is the one that was found last, where a search begins with NULL. */
static inline const cll_layout_source *cll_layout_find_again(const cll_layout *layout, const cll_layout_source **last,
                                                             const cll_experiment *description)
{
    if (*last == NULL || (*last)->description != description) {
        *last = cll_layout_find(layout, description);
    }
    return *last;
}

/* Number of the experiment of that name; -1 if there is none. */
int cll_layout_number(const cll_layout *layout, const char *name);

/* The same for an experiment of another layout. */
int cll_layout_match(const cll_layout *layout, const cll_layout *other, int experiment);

/* Equal where experiments, by their numbers, mean the same. */
uint64_t cll_layout_fingerprint(const cll_layout *layout);

/* One measurement, wherever it is kept. */
typedef struct {
    int experiment; /* number in a layout */
    int32_t processor;
    int32_t processors; /* of the machine in use */
    uint64_t time;      /* ticks of the clock or nanoseconds, as the reader knows */
    const cll_value *values;
    const int *order;                          /* of the values of the experiment; NULL: as they stand */
    const cll_representation *representations; /* of the values of the experiment */
} cll_row;

/* A value that is kept in one way as another one, which is the same or that of a real. */
static inline cll_value cll_value_as(cll_value value, cll_representation has, cll_representation wanted)
{
    if (has != wanted && wanted == CLL_REAL) {
        value.real = has == CLL_INTEGER ? (double)value.integer : (double)value.natural;
    }
    return value;
}

/* A value of the row as the layout of its trace has it. */
cll_value cll_row_value(const cll_row *row, int value, cll_representation wanted);

#endif
