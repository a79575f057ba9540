/* program_position.h: where in its source the program is while the library executes. */
#ifndef CLL_PROGRAM_POSITION_H
#define CLL_PROGRAM_POSITION_H

#include <stddef.h>

/* Writes ` (found at FILE:LINE)` of the innermost call of the program into the library; nothing where it was compiled without -g. */
void cll_program_position(char *text, size_t capacity);

#endif
