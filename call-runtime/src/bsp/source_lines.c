/* source_lines.c: finds the line table of an instruction, and its row there. Tables are run once to see of which instructions they speak. */
#include "source_lines.h"

#if defined(__linux__) && defined(__ELF__)
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../base/shared.h"
#include "line_names.h"
#include "loaded_objects.h"

typedef struct {
    uint64_t low;
    uint64_t high; /* the first address behind */
    size_t unit;   /* where its table begins in the section */
} line_sequence;

typedef struct line_tables {
    struct line_tables *next;
    const cll_object *object;
    cll_section lines;
    cll_line_texts texts;
    line_sequence *sequences;
    size_t count;
    size_t capacity;
} line_tables;

typedef struct {
    line_tables *tables;
    size_t unit;
    uint64_t low;
    int is_open;
} sequence_notes;

/* What the linker has thrown away lies at 0. */
static int note_sequence(void *context, const cll_line_row *row, int is_end)
{
    sequence_notes *notes = context;
    line_tables *tables = notes->tables;
    notes->low = notes->is_open ? notes->low : row->address;
    notes->is_open = !is_end;
    if (!is_end || notes->low == 0 || row->address <= notes->low) {
        return 1;
    }
    if (tables->count == tables->capacity) {
        size_t capacity = 2 * tables->capacity + 64;
        line_sequence *made = realloc(tables->sequences, capacity * sizeof *made);
        if (made == NULL) {
            return 0;
        }
        tables->sequences = made;
        tables->capacity = capacity;
    }
    line_sequence added = {notes->low, row->address, notes->unit};
    tables->sequences[tables->count++] = added;
    return 1;
}

static void find_sequences(line_tables *tables)
{
    for (size_t start = 0; start < tables->lines.size_bytes;) {
        cll_line_unit unit;
        sequence_notes notes = {tables, start, 0, 0};
        if (cll_line_unit_read(tables->lines.bytes + start, tables->lines.size_bytes - start, &unit)) {
            cll_line_unit_run(&unit, note_sequence, &notes);
        }
        start = (size_t)(unit.end - tables->lines.bytes);
    }
}

static void take_texts(cll_line_section *texts, const cll_section *section)
{
    if (section->size_bytes > 0 && section->bytes[section->size_bytes - 1] == '\0') {
        texts->bytes = (const char *)section->bytes;
        texts->size_bytes = section->size_bytes;
    }
}

/* NULL without memory. */
static const line_tables *lines_of(const cll_object *object)
{
    line_tables **first = (line_tables **)cll_shared(CLL_SHARED_LINES);
    for (const line_tables *known = *first; known != NULL; known = known->next) {
        if (known->object->bytes == object->bytes) {
            return known;
        }
    }
    line_tables *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->object = object;
    made->next = *first;
    *first = made;
    size_t count = cll_object_section_count(object);
    for (size_t number = 0; number < count; number++) {
        cll_section its = cll_object_section(object, number);
        if (its.bytes == NULL || its.is_compressed) {
            continue;
        }
        if (strcmp(its.name, ".debug_line") == 0) {
            made->lines = its;
        } else if (strcmp(its.name, ".debug_line_str") == 0) {
            take_texts(&made->texts.line, &its);
        } else if (strcmp(its.name, ".debug_str") == 0) {
            take_texts(&made->texts.debug, &its);
        }
    }
    find_sequences(made);
    return made;
}

typedef struct {
    uint64_t address;
    cll_line_row before;
    int is_open;
    cll_line_row found; /* line 0: not yet */
} row_search;

static int find_row(void *context, const cll_line_row *row, int is_end)
{
    row_search *search = context;
    if (search->is_open && search->before.address <= search->address && search->address < row->address) {
        search->found = search->before;
        return 0;
    }
    search->before = *row;
    search->is_open = !is_end;
    return 1;
}

unsigned long cll_source_line(const void *address, char *file, size_t capacity)
{
    const cll_object *object = cll_object_at((uintptr_t)address);
    const line_tables *tables = object == NULL ? NULL : lines_of(object);
    uint64_t inside = object == NULL ? 0 : (uint64_t)((uintptr_t)address - object->base);
    for (size_t number = 0; tables != NULL && number < tables->count; number++) {
        const line_sequence *sequence = &tables->sequences[number];
        cll_line_unit unit;
        row_search search = {inside, {0, 0, 0}, 0, {0, 0, 0}};
        if (inside < sequence->low || inside >= sequence->high ||
            !cll_line_unit_read(tables->lines.bytes + sequence->unit, tables->lines.size_bytes - sequence->unit, &unit)) {
            continue;
        }
        cll_line_unit_run(&unit, find_row, &search);
        if (search.found.line > 0 && search.found.line <= INT32_MAX &&
            cll_line_file_name(&unit, &tables->texts, search.found.file, file, capacity)) {
            return (unsigned long)search.found.line;
        }
    }
    return 0;
}
#else
unsigned long cll_source_line(const void *address, char *file, size_t capacity)
{
    (void)address;
    (void)file;
    (void)capacity;
    return 0;
}
#endif
