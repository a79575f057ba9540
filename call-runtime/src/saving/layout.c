/* layout.c: chooses the experiments of a trace and gives each value its column. */
#include "layout.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"

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

static int find_column(const cll_layout *layout, const char *name)
{
    for (int column = 0; column < layout->columns; column++) {
        if (strcmp(layout->column_names[column], name) == 0) {
            return column;
        }
    }
    return -1;
}

static void add_column(cll_layout *layout, const char *name)
{
    if (strcmp(name, processors_name) != 0 && find_column(layout, name) < 0) {
        layout->column_names[layout->columns++] = name;
    }
}

/* Variables and counters never have the same name: such units do not start. */
static void name_columns(cll_layout *layout)
{
    size_t mentions = 0;
    for (int number = 0; number < layout->description_count; number++) {
        mentions += (size_t)cll_value_count(layout->descriptions[number].experiment);
    }
    layout->column_names = cll_allocate(mentions, sizeof *layout->column_names, "the report");
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *its = layout->descriptions[number].experiment;
        for (int variable = 0; layout->is_selected[number] && variable < its->variable_count; variable++) {
            add_column(layout, its->variables[variable].name);
        }
    }
    layout->variable_columns = layout->columns;
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *its = layout->descriptions[number].experiment;
        for (int counter = 0; layout->is_selected[number] && counter < its->counter_count; counter++) {
            add_column(layout, its->counters[counter]);
        }
    }
}

/* Counters of summaries are means. */
static void choose_representations(const cll_layout *layout, cll_layout_experiment *experiment)
{
    static const cll_representation of_summaries[CLL_SUMMARY_VALUES] = {[CLL_SUMMARY_COUNT] = CLL_NATURAL,
                                                                        [CLL_SUMMARY_SUM] = CLL_NATURAL,
                                                                        [CLL_SUMMARY_SQUARES] = CLL_REAL,
                                                                        [CLL_SUMMARY_LEAST] = CLL_NATURAL,
                                                                        [CLL_SUMMARY_MOST] = CLL_NATURAL};
    const cll_experiment *its = experiment->description;
    int own_count = cll_value_count(its);
    experiment->value_count = own_count + (layout->has_summaries ? CLL_SUMMARY_VALUES : cll_keeps_executions());
    experiment->representations =
        cll_allocate((size_t)experiment->value_count, sizeof *experiment->representations, "the report");
    for (int value = 0; value < experiment->value_count; value++) {
        if (value < its->variable_count) {
            experiment->representations[value] = its->variables[value].representation;
        } else if (value < own_count) {
            experiment->representations[value] = layout->has_summaries ? CLL_REAL : CLL_NATURAL;
        } else {
            experiment->representations[value] = layout->has_summaries ? of_summaries[value - own_count] : CLL_NATURAL;
        }
    }
}

static const char *name_of(const cll_experiment *description, int value)
{
    return value < description->variable_count ? description->variables[value].name
                                               : description->counters[value - description->variable_count];
}

static void place_values(const cll_layout *layout, cll_layout_experiment *experiment)
{
    const cll_experiment *its = experiment->description;
    choose_representations(layout, experiment);
    experiment->columns = cll_allocate((size_t)layout->columns, sizeof *experiment->columns, "the report");
    experiment->processors_value = -1;
    for (int column = 0; column < layout->columns; column++) {
        experiment->columns[column] = -1;
    }
    for (int value = 0; value < cll_value_count(its); value++) {
        int column = find_column(layout, name_of(its, value));
        if (column < 0) {
            experiment->processors_value = value;
        } else {
            experiment->columns[column] = value;
        }
    }
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

int cll_layout_match(const cll_layout *layout, const cll_layout *other, int experiment)
{
    return cll_layout_number(layout, other->experiments[experiment].description->name);
}

/* Units that differ in their variables or counters do not start. */
static int find_value(const cll_experiment *description, const char *name)
{
    int value = 0;
    while (value < cll_value_count(description) && strcmp(name_of(description, value), name) != 0) {
        value++;
    }
    return value;
}

/* Files may keep a variable of the same name differently: then it goes as a double. */
static void make_source(cll_layout *layout, cll_layout_source *source, const cll_experiment *description)
{
    source->description = description;
    source->experiment = cll_layout_number(layout, description->name);
    cll_layout_experiment *experiment = &layout->experiments[source->experiment];
    int own_count = cll_value_count(description);
    size_t kept_count = (size_t)cll_kept_value_count(description);
    source->order = cll_allocate(kept_count, sizeof *source->order, "the report");
    source->representations = cll_allocate(kept_count, sizeof *source->representations, "the report");
    for (int value = own_count; value < (int)kept_count; value++) {
        source->order[value] = value;
        source->representations[value] = CLL_NATURAL;
    }
    for (int value = 0; value < own_count; value++) {
        int place = find_value(description, name_of(experiment->description, value));
        source->order[value] = place;
        source->representations[value] =
            place < description->variable_count ? description->variables[place].representation : CLL_NATURAL;
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
    size_t count = (size_t)layout->description_count;
    layout->is_selected = cll_allocate(count, sizeof *layout->is_selected, "the report");
    layout->experiments = cll_allocate(count, sizeof *layout->experiments, "the report");
    layout->sources = cll_allocate(count, sizeof *layout->sources, "the report");
    select_experiments(layout, names);
    name_columns(layout);
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

cll_value cll_row_value(const cll_row *row, int value, cll_representation wanted)
{
    return cll_value_as(row->values[row->order == NULL ? value : row->order[value]], row->representations[value], wanted);
}
