/* program_position.c: the first function on the stack that is not the library's and has lines. */
#include "program_position.h"

#include <stdio.h>
#include <string.h>

#include "known_stacks.h"
#include "source_lines.h"
#include "symbols.h"

#define POSITION_DEPTH 64

/* What other files call is named so; the rest of the library has lines where it is compiled with the program and -g. */
static int is_of_library(const char *symbol, const char *file)
{
    size_t folder = sizeof __FILE__ - sizeof "bsp/program_position.c";
    return strncmp(symbol, "cll_", 4) == 0 || strncmp(file, __FILE__, folder) == 0;
}

void cll_program_position(char *text, size_t capacity)
{
    void *addresses[POSITION_DEPTH];
    int count = cll_stack_walk(CLL_FRAME, addresses, POSITION_DEPTH);
    text[0] = '\0';
    for (int at = 0; at < count; at++) {
        char symbol[256];
        char file[1024];
        const char *instruction = (const char *)addresses[at] - 1; /* before that to which the call returns */
        unsigned long line = cll_source_line(instruction, file, sizeof file);
        cll_symbol_name(instruction, symbol, sizeof symbol);
        if (line > 0 && !is_of_library(symbol, file)) {
            snprintf(text, capacity, " (found at %s:%lu)", file, line);
            return;
        }
    }
}
