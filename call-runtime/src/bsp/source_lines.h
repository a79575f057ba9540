/* source_lines.h: from which line of the source an instruction of this process was made. */
#ifndef CLL_SOURCE_LINES_H
#define CLL_SOURCE_LINES_H

#include <stddef.h>

/* Writes the name of the file as the compiler was told it; returns the line, 0 where it is not known: of what was compiled without -g, or
 * has its table elsewhere or compressed. */
unsigned long cll_source_line(const void *address, char *file, size_t capacity);

#endif
