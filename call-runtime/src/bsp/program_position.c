/* program_position.c: the first function on the stack that is not the library's and has lines. */
#include "program_position.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "known_stacks.h"
#include "source_lines.h"
#include "symbols.h"

#define POSITION_DEPTH 64

/* The folder of the library's files as they are told for this one; returns its length, 0 where the library has no lines. */
static size_t library_folder(char *file, size_t capacity)
{
    static const char own[] = "bsp/program_position.c";
    const void *instruction = (const void *)(uintptr_t)cll_program_position;
    size_t length = cll_source_line(instruction, file, capacity) > 0 ? strlen(file) : 0;
    return length > sizeof own - 1 ? length - (sizeof own - 1) : 0;
}

void cll_program_position(char *text, size_t capacity)
{
    void *addresses[POSITION_DEPTH];
    int count = cll_stack_walk(CLL_FRAME, addresses, POSITION_DEPTH);
    char library[1024];
    size_t folder = library_folder(library, sizeof library);
    text[0] = '\0';
    for (int at = 0; at < count; at++) {
        char symbol[256];
        char file[1024];
        const char *instruction = (const char *)addresses[at] - 1; /* before that to which the call returns */
        unsigned long line = cll_source_line(instruction, file, sizeof file);
        cll_symbol_name(instruction, symbol, sizeof symbol);
        /* What other files call is named so; the rest of the library has lines where it is compiled with the program and -g. */
        int is_of_library = strncmp(symbol, "cll_", 4) == 0 || (folder > 0 && strncmp(file, library, folder) == 0);
        if (line > 0 && !is_of_library) {
            snprintf(text, capacity, " (found at %s:%lu)", file, line);
            return;
        }
    }
}
