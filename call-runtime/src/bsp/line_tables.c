/* line_tables.c: the machine that line tables are programs for. */
#include "line_tables.h"

#include <string.h>

uint64_t cll_line_number(cll_line_reader *reader, size_t size_bytes)
{
    uint64_t number = 0;
    if ((size_t)(reader->end - reader->at) < size_bytes) {
        reader->is_wrong = 1;
        reader->at = reader->end;
        return 0;
    }
    for (size_t at = 0; at < size_bytes && at < sizeof number; at++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        number = number << 8 | reader->at[at];
#else
        number |= (uint64_t)reader->at[at] << 8 * at;
#endif
    }
    reader->at += size_bytes;
    return number;
}

uint64_t cll_line_natural(cll_line_reader *reader)
{
    uint64_t number = 0;
    uint64_t byte = 0x80;
    for (unsigned shift = 0; (byte & 0x80) != 0 && !reader->is_wrong; shift += 7) {
        byte = cll_line_number(reader, 1);
        number |= shift < 64 ? (byte & 0x7f) << shift : 0;
    }
    return number;
}

/* With a sign, which the highest bit of the last byte has. */
static uint64_t take_signed(cll_line_reader *reader)
{
    uint64_t number = 0;
    uint64_t byte = 0x80;
    unsigned shift = 0;
    for (; (byte & 0x80) != 0 && !reader->is_wrong; shift += 7) {
        byte = cll_line_number(reader, 1);
        number |= shift < 64 ? (byte & 0x7f) << shift : 0;
    }
    return (byte & 0x40) != 0 && shift < 64 ? number | (UINT64_MAX << shift) : number;
}

const char *cll_line_text(cll_line_reader *reader)
{
    const unsigned char *end = memchr(reader->at, '\0', (size_t)(reader->end - reader->at));
    const char *text = (const char *)reader->at;
    if (end == NULL) {
        reader->is_wrong = 1;
        reader->at = reader->end;
        return "";
    }
    reader->at = end + 1;
    return text;
}

int cll_line_unit_read(const unsigned char *bytes, size_t size_bytes, cll_line_unit *unit)
{
    cll_line_reader reader = {bytes, bytes + size_bytes, 0};
    uint64_t length = cll_line_number(&reader, 4);
    unit->offset_bytes = length == UINT32_MAX ? 8 : 4;
    length = length == UINT32_MAX ? cll_line_number(&reader, 8) : length;
    if (reader.is_wrong || length > (uint64_t)(reader.end - reader.at)) {
        unit->end = reader.end;
        return 0;
    }
    reader.end = reader.at + length;
    unit->end = reader.end;
    unit->version = (unsigned)cll_line_number(&reader, 2);
    if (unit->version < 2 || unit->version > 5) {
        return 0;
    }
    cll_line_number(&reader, unit->version == 5 ? 2 : 0); /* sizes of addresses and segments */
    uint64_t head_bytes = cll_line_number(&reader, unit->offset_bytes);
    if (reader.is_wrong || head_bytes > (uint64_t)(reader.end - reader.at)) {
        return 0;
    }
    unit->program = reader.at + head_bytes;
    unit->instruction_bytes = (unsigned)cll_line_number(&reader, 1);
    unsigned operations = unit->version >= 4 ? (unsigned)cll_line_number(&reader, 1) : 1;
    cll_line_number(&reader, 1); /* whether rows are statements */
    int base = (int)cll_line_number(&reader, 1);
    unit->line_base = base < 128 ? base : base - 256;
    unit->line_range = (unsigned)cll_line_number(&reader, 1);
    unit->opcode_base = (unsigned)cll_line_number(&reader, 1);
    unit->operand_counts = reader.at - 1;
    cll_line_number(&reader, unit->opcode_base > 0 ? unit->opcode_base - 1 : 0);
    unit->names = reader.at;
    return !reader.is_wrong && unit->line_range > 0 && unit->opcode_base > 0 && operations <= 1 && unit->names <= unit->program;
}

static void advance(cll_line_row *row, const cll_line_unit *unit, uint64_t operation)
{
    row->address += operation * unit->instruction_bytes;
}

/* What begins with a zero byte; returns whether it ends a sequence. */
static int run_extended(cll_line_reader *reader, cll_line_row *row)
{
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
    uint64_t length = cll_line_natural(reader);
    if (length == 0 || length > (uint64_t)(reader->end - reader->at)) {
        reader->is_wrong = 1;
        return 0;
    }
    const unsigned char *behind = reader->at + length;
    uint64_t opcode = cll_line_number(reader, 1);
    if (opcode == SET_ADDRESS) {
        row->address = cll_line_number(reader, (size_t)length - 1);
    }
    reader->at = behind;
    return opcode == END_SEQUENCE;
}

/* Returns whether a row is given out. */
static int run_standard(cll_line_reader *reader, const cll_line_unit *unit, unsigned opcode, cll_line_row *row)
{
    enum { COPY = 1, ADVANCE_ADDRESS, ADVANCE_LINE, SET_FILE, ADD_CONSTANT = 8, ADD_FIXED = 9 };
    switch (opcode) {
    case COPY:
        return 1;
    case ADVANCE_ADDRESS:
        advance(row, unit, cll_line_natural(reader));
        return 0;
    case ADVANCE_LINE:
        row->line += take_signed(reader);
        return 0;
    case SET_FILE:
        row->file = cll_line_natural(reader);
        return 0;
    case ADD_CONSTANT:
        advance(row, unit, (255 - unit->opcode_base) / unit->line_range);
        return 0;
    case ADD_FIXED:
        row->address += cll_line_number(reader, 2);
        return 0;
    default:
        for (unsigned operand = 0; operand < unit->operand_counts[opcode]; operand++) {
            cll_line_natural(reader);
        }
        return 0;
    }
}

void cll_line_unit_run(const cll_line_unit *unit, cll_row_visitor visit, void *context)
{
    static const cll_line_row first = {0, 1, 1};
    cll_line_reader reader = {unit->program, unit->end, 0};
    cll_line_row row = first;
    while (reader.at < reader.end && !reader.is_wrong) {
        unsigned opcode = (unsigned)cll_line_number(&reader, 1);
        int is_end = 0;
        int is_row = 1;
        if (opcode >= unit->opcode_base) {
            unsigned adjusted = opcode - unit->opcode_base;
            advance(&row, unit, adjusted / unit->line_range);
            row.line += (uint64_t)(int64_t)(unit->line_base + (int)(adjusted % unit->line_range));
        } else if (opcode == 0) {
            is_row = is_end = run_extended(&reader, &row);
        } else {
            is_row = run_standard(&reader, unit, opcode, &row);
        }
        if (is_row && !reader.is_wrong && !visit(context, &row, is_end)) {
            return;
        }
        row = is_end ? first : row;
    }
}
