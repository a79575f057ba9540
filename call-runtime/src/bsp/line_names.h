/* line_names.h: the names of files in the heads of line tables. */
#ifndef CLL_LINE_NAMES_H
#define CLL_LINE_NAMES_H

#include "line_tables.h"

/* Ends with a zero, if it is not empty. */
typedef struct {
    const char *bytes;
    size_t size_bytes;
} cll_line_section;

/* The sections .debug_line_str and .debug_str. */
typedef struct {
    cll_line_section line;
    cll_line_section debug;
} cll_line_texts;

/* Writes the name of the file with this number as the compiler was told it; returns whether there is one that fits. */
int cll_line_file_name(const cll_line_unit *unit, const cll_line_texts *texts, uint64_t number, char *name, size_t capacity);

#endif
