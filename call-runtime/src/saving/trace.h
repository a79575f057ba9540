/* trace.h: the text of a trace file, as FORMAT.md describes it. */
#ifndef CLL_TRACE_H
#define CLL_TRACE_H

#include "../base/waiting.h"
#include "../program/backend.h"
#include "layout.h"
#include "own_p.h"
#include "writer.h"

typedef enum { CLL_TEXT_BODY, CLL_BINARY_BODY, CLL_SUMMARY_BODY } cll_trace_body;

/* What the environment variable CALL_TRACE asks for. */
cll_trace_body cll_trace_wanted_body(void);

/* What the names of the traces of a unit begin with, in the folder that the environment variable CALL_OUTPUT names, which is made if it is
 * not there; to be freed. */
char *cll_trace_path(const cll_unit *unit);

/* What the header says beyond the unit and the host. */
typedef struct {
    int processors;
    uint64_t abandoned;
    uint64_t late_chunks;
    cll_processor_time processor_time; /* of all processes; zeros if it is not known */
    double pair_cost_ns;               /* what a begin and an end take of the program's time; 0 if it is not known, as are the next two */
    uint64_t measuring_ns;             /* what measuring has taken of all threads so far */
    uint64_t running_ns;               /* of so much time */
    cll_trace_body body;
    int is_unfinished;       /* a file of measurements that have not been reported */
    const char *run;         /* a word for the run */
    uint64_t reports;        /* of the whole run: how many there were before, including this one */
    cll_own_p *own_p;        /* of each experiment of the layout; NULL: nobody looks */
} cll_summary;

void cll_trace_write_header(cll_writer *writer, const cll_layout *layout, const cll_backend *backend,
                            const cll_summary *summary);

/* The time is in nanoseconds. */
void cll_trace_write_row(cll_writer *writer, const cll_layout *layout, const cll_row *row);
void cll_trace_write_end(cll_writer *writer, uint64_t rows);

#endif
