/* layout.c: chooses the experiments of a trace and gives each value its column. */
#include "layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "fail.h"

static const char processors_name[] = "P";

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

static int find_name(const char *const *names, int count, const char *name)
{
    int at = 0;
    while (at < count && strcmp(names[at], name) != 0) {
        at++;
    }
    return at < count ? at : -1;
}

static int find_column(const cll_layout *layout, const char *name)
{
    return find_name(layout->column_names, layout->variable_columns, name);
}

static void name_columns(cll_layout *layout)
{
    size_t mentions = 0;
    for (int number = 0; number < layout->description_count; number++) {
        mentions += (size_t)layout->descriptions[number].experiment->variable_count;
    }
    layout->column_names = cll_allocate(mentions, sizeof *layout->column_names, "the report");
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

static void name_counter_columns(cll_layout *layout)
{
    size_t mentions = 0;
    for (int number = 0; number < layout->description_count; number++) {
        mentions += (size_t)layout->descriptions[number].experiment->counter_count;
    }
    layout->counter_names = cll_allocate(mentions, sizeof *layout->counter_names, "the report");
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *its = layout->descriptions[number].experiment;
        for (int counter = 0; layout->is_selected[number] && counter < its->counter_count; counter++) {
            if (find_name(layout->counter_names, layout->counter_columns, its->counters[counter]) < 0) {
                layout->counter_names[layout->counter_columns++] = its->counters[counter];
            }
        }
    }
}

/* The counters stand behind the variables; in summaries they are means. */
static void place_counters(const cll_layout *layout, cll_layout_experiment *experiment)
{
    const cll_experiment *its = experiment->description;
    experiment->counter_columns = cll_allocate((size_t)layout->counter_columns, sizeof *experiment->counter_columns, "the report");
    for (int column = 0; column < layout->counter_columns; column++) {
        int counter = find_name(its->counters, its->counter_count, layout->counter_names[column]);
        experiment->counter_columns[column] = counter < 0 ? -1 : its->variable_count + counter;
    }
    for (int value = its->variable_count; value < cll_value_count(its); value++) {
        experiment->representations[value] = layout->has_summaries ? CLL_REAL : CLL_NATURAL;
    }
}

static void place_values(const cll_layout *layout, cll_layout_experiment *experiment)
{
    const cll_experiment *its = experiment->description;
    static const cll_representation of_summaries[CLL_SUMMARY_VALUES] = {[CLL_SUMMARY_COUNT] = CLL_NATURAL,
                                                                        [CLL_SUMMARY_SUM] = CLL_NATURAL,
                                                                        [CLL_SUMMARY_SQUARES] = CLL_REAL,
                                                                        [CLL_SUMMARY_LEAST] = CLL_NATURAL,
                                                                        [CLL_SUMMARY_MOST] = CLL_NATURAL};
    int own_count = cll_value_count(its);
    experiment->value_count = own_count + (layout->has_summaries ? CLL_SUMMARY_VALUES : 0);
    experiment->representations = cll_allocate((size_t)experiment->value_count, sizeof *experiment->representations, "the report");
    experiment->columns = cll_allocate((size_t)layout->variable_columns, sizeof *experiment->columns, "the report");
    experiment->processors_value = -1;
    for (int column = 0; column < layout->variable_columns; column++) {
        experiment->columns[column] = -1;
    }
    for (int value = own_count; value < experiment->value_count; value++) {
        experiment->representations[value] = of_summaries[value - own_count];
    }
    for (int variable = 0; variable < its->variable_count; variable++) {
        int column = find_column(layout, its->variables[variable].name);
        experiment->representations[variable] = its->variables[variable].representation;
        if (column < 0) {
            experiment->processors_value = variable;
        } else {
            experiment->columns[column] = variable;
        }
    }
    place_counters(layout, experiment);
}

int cll_layout_number(const cll_layout *layout, const char *name)
{
    for (int number = 0; number < layout->experiment_count; number++) {
        if (strcmp(layout->experiments[number].description->name, name) == 0) {
            return number;
        }
    }
    return -1;
}

static int find_variable(const cll_experiment *description, const char *name)
{
    int variable = 0;
    while (variable < description->variable_count && strcmp(description->variables[variable].name, name) != 0) {
        variable++;
    }
    return variable; /* units that differ in their variables do not start */
}

/* Files may keep a variable of the same name differently: then it goes as a double. */
static void make_source(cll_layout *layout, cll_layout_source *source, const cll_experiment *description)
{
    source->description = description;
    source->experiment = cll_layout_number(layout, description->name);
    cll_layout_experiment *experiment = &layout->experiments[source->experiment];
    int own_count = cll_value_count(description);
    source->order = cll_allocate((size_t)own_count, sizeof *source->order, "the report");
    source->representations = cll_allocate((size_t)own_count, sizeof *source->representations, "the report");
    int variable_count = description->variable_count;
    for (int value = variable_count; value < own_count; value++) {
        const char *name = experiment->description->counters[value - variable_count];
        source->order[value] = variable_count + find_name(description->counters, description->counter_count, name);
        source->representations[value] = CLL_NATURAL;
    }
    for (int value = 0; value < variable_count; value++) {
        source->order[value] = find_variable(description, experiment->description->variables[value].name);
        source->representations[value] = description->variables[source->order[value]].representation;
        if (source->representations[value] != experiment->representations[value]) {
            experiment->representations[value] = CLL_REAL;
        }
    }
}

static int by_address(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t)((const cll_layout_source *)left)->description;
    uintptr_t b = (uintptr_t)((const cll_layout_source *)right)->description;
    return (a > b) - (a < b);
}

void cll_layout_make(cll_layout *layout, const cll_unit *unit, const char *names, int has_summaries)
{
    memset(layout, 0, sizeof *layout);
    layout->unit = unit;
    layout->has_summaries = has_summaries;
    layout->descriptions = cll_units_describe(&layout->description_count);
    if (layout->descriptions == NULL) {
        cll_fail("no memory for the report");
    }
    size_t count = (size_t)layout->description_count;
    layout->is_selected = cll_allocate(count, sizeof *layout->is_selected, "the report");
    layout->experiments = cll_allocate(count, sizeof *layout->experiments, "the report");
    layout->sources = cll_allocate(count, sizeof *layout->sources, "the report");
    select_experiments(layout, names);
    name_columns(layout);
    name_counter_columns(layout);
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *description = layout->descriptions[number].experiment;
        if (!layout->is_selected[number]) {
            continue;
        }
        if (layout->descriptions[number].first == number) {
            cll_layout_experiment *made = &layout->experiments[layout->experiment_count++];
            made->description = description;
            place_values(layout, made);
            layout->most_values = made->value_count > layout->most_values ? made->value_count : layout->most_values;
        }
        make_source(layout, &layout->sources[layout->source_count++], description);
    }
    qsort(layout->sources, (size_t)layout->source_count, sizeof *layout->sources, by_address);
}

void cll_layout_release(cll_layout *layout)
{
    for (int number = 0; number < layout->experiment_count; number++) {
        free(layout->experiments[number].representations);
        free(layout->experiments[number].columns);
        free(layout->experiments[number].counter_columns);
    }
    for (int number = 0; number < layout->source_count; number++) {
        free(layout->sources[number].order);
        free(layout->sources[number].representations);
    }
    free(layout->descriptions);
    free(layout->is_selected);
    free(layout->experiments);
    free(layout->sources);
    free(layout->column_names);
    free(layout->counter_names);
}

const cll_layout_source *cll_layout_find(const cll_layout *layout, const cll_experiment *description)
{
    cll_layout_source key = {description, 0, NULL, NULL};
    return bsearch(&key, layout->sources, (size_t)layout->source_count, sizeof key, by_address);
}

/* FNV-1a of names and representations. */
uint64_t cll_layout_fingerprint(const cll_layout *layout)
{
    const uint64_t prime = UINT64_C(1099511628211);
    uint64_t fingerprint = UINT64_C(14695981039346656037);
    for (int number = 0; number < layout->experiment_count; number++) {
        const cll_layout_experiment *experiment = &layout->experiments[number];
        for (const char *at = experiment->description->name; *at != '\0'; at++) {
            fingerprint = (fingerprint ^ (unsigned char)*at) * prime;
        }
        for (int value = 0; value < experiment->value_count; value++) {
            fingerprint = (fingerprint ^ ((uint64_t)experiment->representations[value] << 8 | 0xff)) * prime;
        }
    }
    return fingerprint;
}

int cll_row_lacks(const cll_layout *layout, const cll_row *row, int value)
{
    const cll_experiment *its = layout->experiments[row->experiment].description;
    const cll_value *found = &row->values[row->order == NULL ? value : row->order[value]];
    if (value < its->variable_count || value >= cll_value_count(its)) {
        return 0;
    }
    return row->representations[value] == CLL_REAL ? isnan(found->real) : found->natural == CLL_COUNTER_MISSING;
}

cll_value cll_row_value(const cll_row *row, int value, cll_representation wanted)
{
    cll_value found = row->values[row->order == NULL ? value : row->order[value]];
    cll_representation has = row->representations[value];
    if (has != wanted && wanted == CLL_REAL) {
        found.real = has == CLL_INTEGER ? (double)found.integer : (double)found.natural;
    }
    return found;
}
