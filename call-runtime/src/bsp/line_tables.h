/* line_tables.h: the line tables that compilers write with -g (DWARF 2 to 5, section .debug_line). A table is a program for a small machine,
 * which gives out a row for each instruction that begins a line; the rows of one stretch of instructions are a sequence. What a file has wrong
 * ends what is read of it. */
#ifndef CLL_LINE_TABLES_H
#define CLL_LINE_TABLES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const unsigned char *at;
    const unsigned char *end;
    int is_wrong;
} cll_line_reader;

/* Numbers of the computer's order of bytes; those with 7 bits a byte; texts, which end with a zero. */
uint64_t cll_line_number(cll_line_reader *reader, size_t size_bytes);
uint64_t cll_line_natural(cll_line_reader *reader);
const char *cll_line_text(cll_line_reader *reader);

/* The head of a table. */
typedef struct {
    const unsigned char *end;
    unsigned version;
    size_t offset_bytes; /* of an offset in the file */
    unsigned instruction_bytes;
    int line_base;
    unsigned line_range;
    unsigned opcode_base;
    const unsigned char *operand_counts; /* of each standard opcode, from 1 */
    const unsigned char *names; /* of folders and files */
    const unsigned char *program;
} cll_line_unit;

typedef struct {
    uint64_t address;
    uint64_t file;
    uint64_t line;
} cll_line_row;

/* Takes the next row, or the end of a sequence; returns whether it wants more. */
typedef int (*cll_row_visitor)(void *context, const cll_line_row *row, int is_end);

/* The table at the start of these bytes; returns whether there is one that can be read. Its `end` is set in any case. */
int cll_line_unit_read(const unsigned char *bytes, size_t size_bytes, cll_line_unit *unit);
void cll_line_unit_run(const cll_line_unit *unit, cll_row_visitor visit, void *context);

#endif
