/* trace.h: the text of a trace file, as FORMAT.md describes it. */
#ifndef CLL_TRACE_H
#define CLL_TRACE_H

#include "backend.h"
#include "record.h"
#include "units.h"
#include "writer.h"

/* The experiments that a report covers and the columns of their rows. */
typedef struct {
    const cll_unit *unit; /* that reports */
    int description_count;
    cll_description *descriptions; /* of the experiments of all units */
    unsigned char *is_selected;  /* for each description */
    int variable_columns;
    const char **column_names;   /* in the order of their first mention, without P */
    int *columns;                /* for each description, variable_columns entries: index of the variable, or -1 */
    int *processors_variables;   /* for each description: index of its variable P, or -1 */
    int counter_columns;
    const char **counter_names;  /* likewise in the order of their first mention */
    int *counters;               /* for each description, counter_columns entries: index of the counter, or -1 */
    uint64_t subtracted_ns;      /* from each time, as far as it goes */
} cll_layout;

/* What the header says beyond the unit and the host. */
typedef struct {
    int processors;
    uint64_t abandoned;
    uint64_t late_chunks;
} cll_summary;

/* `names`: blank between; NULL for all. Fails if a name is unknown. */
void cll_layout_make(cll_layout *layout, const cll_unit *unit, const char *names);
void cll_layout_release(cll_layout *layout);

void cll_trace_write_header(cll_writer *writer, const cll_layout *layout, const cll_backend *backend,
                            const cll_summary *summary);
void cll_trace_write_row(cll_writer *writer, const cll_layout *layout, int description, int processor, int processors,
                         const cll_value *values, uint64_t elapsed_ns);
void cll_trace_write_end(cll_writer *writer, uint64_t rows);

#endif
