/* trace.c: header, column names, rows and last line of a trace file. */
#include "trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/file.h"
#include "../base/host.h"
#include "../counters/counters.h"
#include "../counters/counters_callgrind.h"
#include "../program/openmp_there.h"
#include "../program/units.h"

cll_trace_body cll_trace_wanted_body(void)
{
    static const char *const names[] = {[CLL_TEXT_BODY] = "text", [CLL_BINARY_BODY] = "binary", [CLL_SUMMARY_BODY] = "summary"};
    const char *name = getenv("CALL_TRACE");
    int body = CLL_TEXT_BODY;
    if (name == NULL || *name == '\0') {
        return CLL_TEXT_BODY;
    }
    while (body <= CLL_SUMMARY_BODY && strcmp(name, names[body]) != 0) {
        body++;
    }
    if (body > CLL_SUMMARY_BODY) {
        cll_fail("CALL_TRACE: there is no trace of the form `%s`: it is `text`, `binary` or `summary`, or leave the variable unset", name);
    }
    return (cll_trace_body)body;
}

/* The first formula that a description of the experiment has. */
static const char *formula_of(const cll_layout *layout, int first)
{
    for (int number = first; number < layout->description_count; number++) {
        const cll_description *its = &layout->descriptions[number];
        if (its->first == first && its->experiment->formula != NULL) {
            return its->experiment->formula;
        }
    }
    return NULL;
}

static int are_same_blocks(const cll_description *left, int left_block, const cll_description *right, int right_block)
{
    const cll_block *a = &left->experiment->blocks[left_block];
    const cll_block *b = &right->experiment->blocks[right_block];
    return a->first_line == b->first_line && a->last_line == b->last_line &&
           strcmp(cll_description_file(left, left_block), cll_description_file(right, right_block)) == 0;
}

/* A header that several units include has the same blocks in each of them. */
static int is_repeated(const cll_layout *layout, int wanted, int wanted_block)
{
    const cll_description *its = &layout->descriptions[wanted];
    for (int number = its->first; number <= wanted; number++) {
        const cll_description *other = &layout->descriptions[number];
        int blocks = number == wanted ? wanted_block : other->experiment->block_count;
        for (int block = 0; other->first == its->first && block < blocks; block++) {
            if (are_same_blocks(other, block, its, wanted_block)) {
                return 1;
            }
        }
    }
    return 0;
}

static void write_block(cll_writer *writer, const cll_layout *layout, const cll_description *its, int block)
{
    const char *file = cll_description_file(its, block);
    cll_write_text(writer, " ");
    if (strcmp(file, layout->unit->source) != 0) {
        cll_write_word(writer, file);
        cll_write_text(writer, ":");
    }
    cll_write_integer(writer, its->experiment->blocks[block].first_line);
    cll_write_text(writer, "-");
    cll_write_integer(writer, its->experiment->blocks[block].last_line);
}

static void write_types(cll_writer *writer, const cll_layout_experiment *experiment)
{
    static const char *const names[] = {[CLL_INTEGER] = " i64", [CLL_NATURAL] = " u64", [CLL_REAL] = " f64"};
    cll_write_text(writer, "\n# types:");
    for (int variable = 0; variable < experiment->description->variable_count; variable++) {
        cll_write_text(writer, names[experiment->representations[variable]]);
    }
}

static void write_names(cll_writer *writer, const char *key, const char *const *names, int count)
{
    cll_write_text(writer, key);
    for (int at = 0; at < count; at++) {
        cll_write_text(writer, " ");
        cll_write_text(writer, names[at]);
    }
    cll_write_text(writer, "\n");
}

/* How often the statements of an experiment run, if all its descriptions say the same: of blocks that differ nobody knows which one was
   measured. */
static const char *source_counts_of(const cll_layout *layout, int first)
{
    const char *counts = layout->descriptions[first].experiment->source_counts;
    for (int number = first + 1; number < layout->description_count && counts != NULL; number++) {
        const cll_description *its = &layout->descriptions[number];
        const char *others = its->experiment->source_counts;
        if (its->first == first && (others == NULL || strcmp(others, counts) != 0)) {
            return NULL;
        }
    }
    return counts;
}

static void write_experiment(cll_writer *writer, const cll_layout *layout, int first, const cll_summary *summary)
{
    const cll_experiment *experiment = layout->descriptions[first].experiment;
    const char *formula = formula_of(layout, first);
    const char *counts = source_counts_of(layout, first);
    int its_number = cll_layout_number(layout, experiment->name);
    cll_write_header(writer, "experiment", experiment->name);
    if (formula != NULL) {
        cll_write_header(writer, "formula", formula);
    }
    cll_write_text(writer, "# variables:");
    for (int variable = 0; variable < experiment->variable_count; variable++) {
        cll_write_text(writer, " ");
        cll_write_text(writer, experiment->variables[variable].name);
    }
    if (summary->body == CLL_BINARY_BODY && experiment->variable_count > 0) {
        write_types(writer, &layout->experiments[its_number]);
    }
    cll_write_text(writer, "\n");
    if (experiment->counter_count > 0) {
        write_names(writer, "# counters:", experiment->counters, experiment->counter_count);
    }
    if (experiment->observable != NULL) {
        cll_write_header(writer, "observable", experiment->observable);
    }
    if (counts != NULL) {
        cll_write_header(writer, "source_counts", counts);
    }
    if (summary->own_p != NULL && layout->experiments[its_number].processors_value >= 0) {
        cll_own_p_announce(&summary->own_p[its_number], writer);
    }
    cll_write_text(writer, "# lines:");
    for (int number = first; number < layout->description_count; number++) {
        const cll_description *its = &layout->descriptions[number];
        for (int block = 0; its->first == first && block < its->experiment->block_count; block++) {
            if (!is_repeated(layout, number, block)) {
                write_block(writer, layout, its, block);
            }
        }
    }
    cll_write_text(writer, "\n");
}

char *cll_trace_path(const cll_unit *unit)
{
    const char *folder = getenv("CALL_OUTPUT");
    if (folder == NULL || *folder == '\0') {
        folder = "";
    } else {
        cll_file_make_folders(folder);
    }
    const char *slash = *folder == '\0' ? NULL : strrchr(unit->name, '/');
    const char *name = slash == NULL ? unit->name : slash + 1;
    size_t capacity = strlen(folder) + strlen(name) + 2;
    char *path = cll_allocate(capacity, 1, "the name of a file");
    snprintf(path, capacity, "%s%s%s", folder, *folder == '\0' ? "" : "/", name);
    return path;
}

/* An unfinished file is written in the middle of a run, which is no time to measure the runtime itself. */
static void write_clock(cll_writer *writer, int is_unfinished)
{
    cll_write_header(writer, "clock", cll_clock_name());
    cll_write_text(writer, "# clock_resolution_ns: ");
    cll_write_real(writer, round(1000 * cll_clock_resolution_ns()) / 1000);
    cll_write_text(writer, "\n");
    if (cll_clock_frequency() > 0) {
        cll_write_header_number(writer, "clock_frequency_hz", (uint64_t)(cll_clock_frequency() + 0.5));
        cll_write_header_number(writer, "clock_frequency_uncertainty_hz", (uint64_t)ceil(cll_clock_frequency_uncertainty()));
    }
    if (!is_unfinished) {
        cll_write_header_number(writer, "empty_pair_ns", cll_clock_empty_pair_ns());
    }
    if (cll_clock_empty_pair_is_subtracted) {
        cll_write_header_number(writer, "subtracted_ns", cll_clock_subtracted_ns());
    }
}

static void write_rounded(cll_writer *writer, const char *key, double number)
{
    cll_write_text(writer, "# ");
    cll_write_text(writer, key);
    cll_write_text(writer, ": ");
    cll_write_real(writer, round(10000 * number) / 10000);
    cll_write_text(writer, "\n");
}

/* How busy the computer was, which matters where it is its time that is measured. */
static void write_waiting(cll_writer *writer, const cll_processor_time *its)
{
    double load;
    if (!cll_clock_is_real() || its->ran_ns == 0) {
        return;
    }
    write_rounded(writer, "waited_share", (double)its->waited_ns / ((double)its->ran_ns + (double)its->waited_ns));
    if (cll_stolen_share() >= 0) {
        write_rounded(writer, "stolen_share", cll_stolen_share());
    }
    if (getloadavg(&load, 1) == 1) {
        write_rounded(writer, "load_average", load);
    }
}

/* What measuring takes, where the clock shows it. */
static void write_cost(cll_writer *writer, const cll_summary *summary)
{
    if (cll_budget_share() > 0) {
        cll_write_text(writer, "# budget: ");
        cll_write_real(writer, cll_budget_share());
        cll_write_text(writer, "\n");
    }
    if (summary->pair_cost_ns > 0 && summary->running_ns > 0) {
        cll_write_text(writer, "# pair_cost_ns: ");
        cll_write_real(writer, round(10 * summary->pair_cost_ns) / 10);
        cll_write_text(writer, "\n");
        write_rounded(writer, "measuring_share", (double)summary->measuring_ns / (double)summary->running_ns);
    }
}

static void write_missing_counters(cll_writer *writer, const cll_layout *layout)
{
    int missing = 0;
    for (int column = layout->variable_columns; column < layout->columns; column++) {
        const char *reason = cll_counter_missing(layout->column_names[column]);
        if (reason != NULL) {
            cll_counter_tell_missing(layout->column_names[column]);
            cll_write_text(writer, missing++ == 0 ? "# missing_counters: " : "; ");
            cll_write_text(writer, layout->column_names[column]);
            cll_write_text(writer, " (");
            cll_write_text(writer, reason);
            cll_write_text(writer, ")");
        }
    }
    if (missing > 0) {
        cll_write_text(writer, "\n");
    }
    if (layout->columns > layout->variable_columns && cll_counters_are_multiplexed()) {
        cll_write_header_number(writer, "counters_multiplexed", 1);
    }
}

void cll_trace_write_header(cll_writer *writer, const cll_layout *layout, const cll_backend *backend,
                            const cll_summary *summary)
{
    const cll_unit *unit = layout->unit;
    cll_host host;
    cll_host_look(&host);
    cll_write_text(writer, "# call-trace 1\n");
    cll_write_header(writer, "program", unit->name);
    cll_write_header(writer, "source", unit->source);
    cll_write_header(writer, "command", host.command);
    cll_write_header(writer, "date", host.date);
    cll_write_header(writer, "host", host.host);
    cll_write_header(writer, "system", host.system);
    cll_write_header(writer, "cpu", host.cpu);
    cll_write_header_number(writer, "cores", host.cores < 1 ? 1 : (uint64_t)host.cores);
    if (host.caches[0] != '\0') {
        cll_write_header(writer, "caches_bytes", host.caches);
    }
    if (cll_callgrind_caches() != NULL) {
        cll_write_header(writer, "simulated_caches", cll_callgrind_caches());
    }
    char built[1024];
    cll_units_compilers(built, sizeof built, host.compiler);
    cll_write_header(writer, "compiler", built);
    cll_units_flags(built, sizeof built, host.flags);
    cll_write_header(writer, "flags", built);
    cll_write_header(writer, "kind", backend->kind);
    cll_write_header(writer, "transport", *backend->transport);
    const char *library = backend->library == NULL ? "" : backend->library();
    if (*library != '\0') {
        cll_write_header(writer, "mpi", library);
    }
    if (strcmp(backend->kind, "MPI") == 0 && cll_openmp_runtime() != CLL_NO_OPENMP) {
        cll_write_header(writer, "openmp", cll_openmp_runtime() == CLL_OPENMP_OF_LLVM ? "LLVM" : "GCC");
    }
    cll_write_header_number(writer, "processors", (uint64_t)summary->processors);
    write_clock(writer, summary->is_unfinished);
    write_waiting(writer, &summary->processor_time);
    write_cost(writer, summary);
    if (summary->abandoned > 0) {
        cll_write_header_number(writer, "abandoned", summary->abandoned);
    }
    if (summary->late_chunks > 0) {
        cll_write_header_number(writer, "late_chunks", summary->late_chunks);
    }
    write_missing_counters(writer, layout);
    cll_write_header(writer, summary->is_unfinished ? "unfinished" : "run", summary->run);
    if (summary->reports > 0) {
        cll_write_header_number(writer, "reports", summary->reports);
    }
    if (summary->body == CLL_BINARY_BODY) {
        cll_write_header(writer, "body", "binary");
    }
    if (summary->body == CLL_SUMMARY_BODY) {
        cll_write_header_number(writer, "summaries", CLL_SUMMARY_SAMPLES);
    }
    for (int number = 0; number < layout->description_count; number++) {
        if (layout->is_selected[number] && layout->descriptions[number].first == number) {
            write_experiment(writer, layout, number, summary);
        }
    }
    cll_write_text(writer, "experiment processor P");
    for (int column = 0; column < layout->columns; column++) {
        cll_write_text(writer, " ");
        cll_write_text(writer, layout->column_names[column]);
    }
    cll_write_text(writer, " time_s");
    cll_write_text(writer, layout->has_summaries     ? " count sum_s sum_squares_s2 min_s max_s\n"
                           : cll_keeps_executions() ? " executions\n"
                                                     : "\n");
}

static void write_value(cll_writer *writer, const cll_layout_experiment *experiment, const cll_row *row, int value)
{
    cll_value its = cll_row_value(row, value, experiment->representations[value]);
    switch (experiment->representations[value]) {
    case CLL_INTEGER:
        cll_write_integer(writer, its.integer);
        break;
    case CLL_NATURAL:
        cll_write_natural(writer, its.natural);
        break;
    case CLL_REAL:
        cll_write_real(writer, its.real);
        break;
    }
}

/* Of summaries it is a double that is no number. */
static int is_missing(const cll_layout_experiment *experiment, const cll_row *row, int counter)
{
    return experiment->representations[counter] == CLL_NATURAL &&
           cll_row_value(row, counter, CLL_NATURAL).natural == CLL_COUNTER_MISSING;
}

/* Such rows have no other order of their values. */
static void write_summary(cll_writer *writer, const cll_value *values)
{
    cll_write_text(writer, " ");
    cll_write_natural(writer, values[CLL_SUMMARY_COUNT].natural);
    cll_write_text(writer, " ");
    cll_write_seconds(writer, values[CLL_SUMMARY_SUM].natural);
    cll_write_text(writer, " ");
    cll_write_real(writer, values[CLL_SUMMARY_SQUARES].real);
    cll_write_text(writer, " ");
    cll_write_seconds(writer, values[CLL_SUMMARY_LEAST].natural);
    cll_write_text(writer, " ");
    cll_write_seconds(writer, values[CLL_SUMMARY_MOST].natural);
}

void cll_trace_write_row(cll_writer *writer, const cll_layout *layout, const cll_row *row)
{
    const cll_layout_experiment *its = &layout->experiments[row->experiment];
    cll_write_text(writer, its->description->name);
    cll_write_text(writer, " ");
    cll_write_integer(writer, row->processor);
    cll_write_text(writer, " ");
    if (its->processors_value < 0) {
        cll_write_integer(writer, row->processors);
    } else {
        write_value(writer, its, row, its->processors_value);
    }
    for (int column = 0; column < layout->columns; column++) {
        int value = its->columns[column];
        cll_write_text(writer, " ");
        if (value < 0 || (column >= layout->variable_columns && is_missing(its, row, value))) {
            cll_write_text(writer, "nan");
        } else {
            write_value(writer, its, row, value);
        }
    }
    cll_write_text(writer, " ");
    cll_write_seconds(writer, row->time);
    if (layout->has_summaries) {
        write_summary(writer, row->values + its->value_count - CLL_SUMMARY_VALUES);
    } else if (cll_keeps_executions()) {
        cll_write_text(writer, " ");
        cll_write_natural(writer, cll_row_value(row, its->value_count - 1, CLL_NATURAL).natural);
    }
    cll_write_text(writer, "\n");
}

void cll_trace_write_end(cll_writer *writer, uint64_t rows)
{
    cll_write_text(writer, "# end rows=");
    cll_write_natural(writer, rows);
    cll_write_text(writer, "\n");
}
