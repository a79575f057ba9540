/* trace.c: header, column names, rows and last line of a trace file. */
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "counters.h"
#include "fail.h"
#include "host.h"

static const char processors_name[] = "P";

CLL_NEVER_RETURNS static void fail_without_memory_to_report(void)
{
    cll_fail("no memory for the report");
}

static void *allocate(size_t count, size_t size)
{
    void *made = calloc(count == 0 ? 1 : count, size);
    if (made == NULL) {
        fail_without_memory_to_report();
    }
    return made;
}

static void select_name(cll_layout *layout, const char *name, size_t length)
{
    int found = 0;
    for (int number = 0; number < layout->description_count; number++) {
        const char *candidate = layout->descriptions[number].experiment->name;
        if (strlen(candidate) == length && strncmp(candidate, name, length) == 0) {
            layout->is_selected[number] = 1;
            found = 1;
        }
    }
    if (!found) {
        cll_fail("report: %s has no experiment `%.*s`, nor has any file that is linked with it", layout->unit->source, (int)length, name);
    }
}

static void select_experiments(cll_layout *layout, const char *names)
{
    static const char blanks[] = " \t\r\n";
    if (names == NULL) {
        memset(layout->is_selected, 1, (size_t)layout->description_count);
        return;
    }
    for (names += strspn(names, blanks); *names != '\0'; names += strspn(names, blanks)) {
        size_t length = strcspn(names, blanks);
        select_name(layout, names, length);
        names += length;
    }
}

static int find_column(const cll_layout *layout, const char *name)
{
    for (int column = 0; column < layout->variable_columns; column++) {
        if (strcmp(layout->column_names[column], name) == 0) {
            return column;
        }
    }
    return -1;
}

static void name_columns(cll_layout *layout)
{
    size_t mentions = 0;
    for (int number = 0; number < layout->description_count; number++) {
        mentions += (size_t)layout->descriptions[number].experiment->variable_count;
    }
    layout->column_names = allocate(mentions, sizeof *layout->column_names);
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *its = layout->descriptions[number].experiment;
        for (int variable = 0; layout->is_selected[number] && variable < its->variable_count; variable++) {
            const char *name = its->variables[variable].name;
            if (strcmp(name, processors_name) != 0 && find_column(layout, name) < 0) {
                layout->column_names[layout->variable_columns++] = name;
            }
        }
    }
}

static void fill_columns(cll_layout *layout)
{
    size_t count = (size_t)layout->description_count;
    layout->processors_variables = allocate(count, sizeof *layout->processors_variables);
    layout->columns = allocate(count * (size_t)layout->variable_columns, sizeof *layout->columns);
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *its = layout->descriptions[number].experiment;
        int *columns = layout->columns + number * layout->variable_columns;
        layout->processors_variables[number] = -1;
        for (int column = 0; column < layout->variable_columns; column++) {
            columns[column] = -1;
        }
        for (int variable = 0; layout->is_selected[number] && variable < its->variable_count; variable++) {
            int column = find_column(layout, its->variables[variable].name);
            if (column < 0) {
                layout->processors_variables[number] = variable;
            } else {
                columns[column] = variable;
            }
        }
    }
}

static int find_name(const char *const *names, int count, const char *name)
{
    int at = 0;
    while (at < count && strcmp(names[at], name) != 0) {
        at++;
    }
    return at < count ? at : -1;
}

static void name_counters(cll_layout *layout)
{
    size_t mentions = 0;
    for (int number = 0; number < layout->description_count; number++) {
        mentions += (size_t)layout->descriptions[number].experiment->counter_count;
    }
    layout->counter_names = allocate(mentions, sizeof *layout->counter_names);
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *its = layout->descriptions[number].experiment;
        for (int counter = 0; layout->is_selected[number] && counter < its->counter_count; counter++) {
            if (find_name(layout->counter_names, layout->counter_columns, its->counters[counter]) < 0) {
                layout->counter_names[layout->counter_columns++] = its->counters[counter];
            }
        }
    }
}

static void fill_counters(cll_layout *layout)
{
    layout->counters = allocate((size_t)layout->description_count * (size_t)layout->counter_columns, sizeof *layout->counters);
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *its = layout->descriptions[number].experiment;
        for (int column = 0; column < layout->counter_columns; column++) {
            layout->counters[number * layout->counter_columns + column] =
                find_name(its->counters, its->counter_count, layout->counter_names[column]);
        }
    }
}

void cll_layout_make(cll_layout *layout, const cll_unit *unit, const char *names)
{
    memset(layout, 0, sizeof *layout);
    layout->unit = unit;
    layout->descriptions = cll_units_describe(&layout->description_count);
    if (layout->descriptions == NULL) {
        fail_without_memory_to_report();
    }
    layout->is_selected = allocate((size_t)layout->description_count, sizeof *layout->is_selected);
    select_experiments(layout, names);
    name_columns(layout);
    fill_columns(layout);
    name_counters(layout);
    fill_counters(layout);
}

void cll_layout_release(cll_layout *layout)
{
    free(layout->descriptions);
    free(layout->is_selected);
    free(layout->column_names);
    free(layout->columns);
    free(layout->processors_variables);
    free(layout->counter_names);
    free(layout->counters);
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

static void write_experiment(cll_writer *writer, const cll_layout *layout, int first)
{
    const cll_experiment *experiment = layout->descriptions[first].experiment;
    const char *formula = formula_of(layout, first);
    cll_write_header(writer, "experiment", experiment->name);
    if (formula != NULL) {
        cll_write_header(writer, "formula", formula);
    }
    cll_write_text(writer, "# variables:");
    for (int variable = 0; variable < experiment->variable_count; variable++) {
        cll_write_text(writer, " ");
        cll_write_text(writer, experiment->variables[variable].name);
    }
    cll_write_text(writer, "\n");
    if (experiment->counter_count > 0) {
        cll_write_text(writer, "# counters:");
        for (int counter = 0; counter < experiment->counter_count; counter++) {
            cll_write_text(writer, " ");
            cll_write_text(writer, experiment->counters[counter]);
        }
        cll_write_text(writer, "\n");
    }
    if (experiment->observable != NULL) {
        cll_write_header(writer, "observable", experiment->observable);
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

static void write_clock(cll_writer *writer, const cll_layout *layout)
{
    uint64_t empty_pair_ns = cll_record_empty_pair_ns();
    cll_write_header(writer, "clock", cll_clock_name());
    cll_write_text(writer, "# clock_resolution_ns: ");
    cll_write_real(writer, round(1000 * cll_clock_resolution_ns()) / 1000);
    cll_write_text(writer, "\n");
    if (cll_clock_frequency() > 0) {
        cll_write_header_number(writer, "clock_frequency_hz", (uint64_t)(cll_clock_frequency() + 0.5));
        cll_write_header_number(writer, "clock_frequency_uncertainty_hz", (uint64_t)ceil(cll_clock_frequency_uncertainty()));
    }
    cll_write_header_number(writer, "empty_pair_ns", empty_pair_ns);
    if (cll_clock_empty_pair_is_subtracted) {
        cll_write_header_number(writer, "subtracted_ns", layout->subtracted_ns);
    }
}

static void write_counters(cll_writer *writer, const cll_layout *layout)
{
    int missing = 0;
    for (int column = 0; column < layout->counter_columns; column++) {
        const char *reason = cll_counter_missing(layout->counter_names[column]);
        if (reason != NULL) {
            cll_counter_tell_missing(layout->counter_names[column]);
            cll_write_text(writer, missing++ == 0 ? "# missing_counters: " : "; ");
            cll_write_text(writer, layout->counter_names[column]);
            cll_write_text(writer, " (");
            cll_write_text(writer, reason);
            cll_write_text(writer, ")");
        }
    }
    if (missing > 0) {
        cll_write_text(writer, "\n");
    }
    if (layout->counter_columns > 0 && cll_counters_are_multiplexed()) {
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
    cll_write_header(writer, "compiler", host.compiler);
    cll_write_header(writer, "flags", host.flags);
    cll_write_header(writer, "kind", backend->kind);
    cll_write_header(writer, "transport", *backend->transport);
    cll_write_header_number(writer, "processors", (uint64_t)summary->processors);
    write_clock(writer, layout);
    if (summary->abandoned > 0) {
        cll_write_header_number(writer, "abandoned", summary->abandoned);
    }
    if (summary->late_chunks > 0) {
        cll_write_header_number(writer, "late_chunks", summary->late_chunks);
    }
    write_counters(writer, layout);
    for (int number = 0; number < layout->description_count; number++) {
        if (layout->is_selected[number] && layout->descriptions[number].first == number) {
            write_experiment(writer, layout, number);
        }
    }
    cll_write_text(writer, "experiment processor P");
    for (int column = 0; column < layout->variable_columns; column++) {
        cll_write_text(writer, " ");
        cll_write_text(writer, layout->column_names[column]);
    }
    for (int column = 0; column < layout->counter_columns; column++) {
        cll_write_text(writer, " ");
        cll_write_text(writer, layout->counter_names[column]);
    }
    cll_write_text(writer, " time_s\n");
}

static void write_value(cll_writer *writer, const cll_variable *variable, const cll_value *value)
{
    switch (variable->representation) {
    case CLL_INTEGER:
        cll_write_integer(writer, value->integer);
        break;
    case CLL_NATURAL:
        cll_write_natural(writer, value->natural);
        break;
    case CLL_REAL:
        cll_write_real(writer, value->real);
        break;
    }
}

void cll_trace_write_row(cll_writer *writer, const cll_layout *layout, int description, int processor, int processors,
                         const cll_value *values, uint64_t elapsed_ns)
{
    const cll_experiment *its = layout->descriptions[description].experiment;
    const int *columns = layout->columns + description * layout->variable_columns;
    int processors_variable = layout->processors_variables[description];
    cll_write_text(writer, its->name);
    cll_write_text(writer, " ");
    cll_write_integer(writer, processor);
    cll_write_text(writer, " ");
    if (processors_variable < 0) {
        cll_write_integer(writer, processors);
    } else {
        write_value(writer, &its->variables[processors_variable], &values[processors_variable]);
    }
    for (int column = 0; column < layout->variable_columns; column++) {
        int variable = columns[column];
        cll_write_text(writer, " ");
        if (variable < 0) {
            cll_write_text(writer, "nan");
        } else {
            write_value(writer, &its->variables[variable], &values[variable]);
        }
    }
    for (int column = 0; column < layout->counter_columns; column++) {
        int counter = layout->counters[description * layout->counter_columns + column];
        uint64_t count = counter < 0 ? CLL_COUNTER_MISSING : values[its->variable_count + counter].natural;
        cll_write_text(writer, " ");
        if (count == CLL_COUNTER_MISSING) {
            cll_write_text(writer, "nan");
        } else {
            cll_write_natural(writer, count);
        }
    }
    cll_write_text(writer, " ");
    cll_write_seconds(writer, elapsed_ns < layout->subtracted_ns ? 0 : elapsed_ns - layout->subtracted_ns);
    cll_write_text(writer, "\n");
}

void cll_trace_write_end(cll_writer *writer, uint64_t rows)
{
    cll_write_text(writer, "# end rows=");
    cll_write_natural(writer, rows);
    cll_write_text(writer, "\n");
}
