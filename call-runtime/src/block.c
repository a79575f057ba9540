/* block.c: columns from rows, and rows from columns. */
#include "block.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"

static const unsigned char magic[8] = {'C', 'L', 'L', 'B', 'L', 'O', 'C', 'K'};

/* A row before the columns are made; its values follow. */
typedef struct {
    uint32_t experiment;
    uint32_t processor;
    uint32_t processors;
    uint32_t unused;
    uint64_t time;
} staged_row;

/* Numbers are little-endian everywhere. */
static void put_number(unsigned char *at, uint64_t number, size_t size_bytes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(at, &number, size_bytes);
#else
    for (size_t byte = 0; byte < size_bytes; byte++) {
        at[byte] = (unsigned char)(number >> 8 * byte);
    }
#endif
}

static uint64_t get_number(const unsigned char *at, size_t size_bytes)
{
    uint64_t number = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&number, at, size_bytes);
#else
    for (size_t byte = 0; byte < size_bytes; byte++) {
        number |= (uint64_t)at[byte] << 8 * byte;
    }
#endif
    return number;
}

static size_t times_offset(uint32_t rows)
{
    return (CLL_BLOCK_HEAD_BYTES + 12 * (size_t)rows + 7) & ~(size_t)7;
}

size_t cll_block_smallest_capacity(const cll_layout *layout)
{
    return times_offset(1) + (1 + (size_t)layout->most_values) * sizeof(cll_value);
}

void cll_block_writer_start(cll_block_writer *writer, const cll_layout *layout, size_t largest_capacity_bytes)
{
    writer->layout = layout;
    writer->rows_of = cll_allocate((size_t)layout->experiment_count, sizeof *writer->rows_of, "the report");
    writer->column_of = cll_allocate((size_t)layout->experiment_count, sizeof *writer->column_of, "the report");
    writer->staged = cll_allocate(2, largest_capacity_bytes, "the report"); /* a staged row has four bytes more */
    cll_block_begin(writer, largest_capacity_bytes);
}

void cll_block_writer_release(cll_block_writer *writer)
{
    free(writer->rows_of);
    free(writer->column_of);
    free(writer->staged);
}

void cll_block_begin(cll_block_writer *writer, size_t capacity_bytes)
{
    writer->capacity_bytes = capacity_bytes;
    writer->block_bytes = 0;
    writer->rows = 0;
    writer->staged_bytes = 0;
    memset(writer->rows_of, 0, (size_t)writer->layout->experiment_count * sizeof *writer->rows_of);
}

int cll_block_add(cll_block_writer *writer, const cll_row *row)
{
    const cll_layout_experiment *experiment = &writer->layout->experiments[row->experiment];
    size_t value_bytes = (size_t)experiment->value_count * sizeof(cll_value);
    size_t before_bytes = writer->rows == 0 ? times_offset(0) : writer->block_bytes;
    size_t block_bytes = before_bytes + times_offset(writer->rows + 1) - times_offset(writer->rows) + sizeof row->time + value_bytes;
    if (block_bytes > writer->capacity_bytes) {
        return 0;
    }
    staged_row *staged = (staged_row *)(void *)(writer->staged + writer->staged_bytes);
    cll_value *values = (cll_value *)(void *)(staged + 1);
    staged->experiment = (uint32_t)row->experiment;
    staged->processor = (uint32_t)row->processor;
    staged->processors = (uint32_t)row->processors;
    staged->time = row->time;
    for (int value = 0; value < experiment->value_count; value++) {
        values[value] = cll_row_value(row, value, experiment->representations[value]);
    }
    writer->staged_bytes += sizeof *staged + value_bytes;
    writer->block_bytes = block_bytes;
    writer->rows++;
    writer->rows_of[row->experiment]++;
    return 1;
}

static void place_columns(const cll_layout *layout, uint32_t rows, const uint32_t *rows_of, size_t *column_of, size_t *end)
{
    size_t at = times_offset(rows) + (size_t)rows * sizeof(uint64_t);
    for (int number = 0; number < layout->experiment_count; number++) {
        column_of[number] = at;
        at += (size_t)layout->experiments[number].value_count * rows_of[number] * sizeof(cll_value);
    }
    *end = at;
}

size_t cll_block_finish(cll_block_writer *writer, unsigned char *bytes, cll_block_time time)
{
    const cll_layout *layout = writer->layout;
    size_t rows = writer->rows;
    size_t size_bytes;
    uint64_t scale_bits;
    if (rows == 0) {
        return 0;
    }
    place_columns(layout, writer->rows, writer->rows_of, writer->column_of, &size_bytes);
    memcpy(&scale_bits, &time.nanoseconds_per_tick, sizeof scale_bits);
    memcpy(bytes, magic, sizeof magic);
    put_number(bytes + 8, size_bytes, 8);
    put_number(bytes + 16, rows, 4);
    put_number(bytes + 20, 0, 4);
    put_number(bytes + 24, scale_bits, 8);
    put_number(bytes + 32, time.subtracted_ns, 8);
    unsigned char *numbers = bytes + CLL_BLOCK_HEAD_BYTES;
    unsigned char *times = bytes + times_offset(writer->rows);
    memset(numbers + 12 * rows, 0, (size_t)(times - (numbers + 12 * rows)));
    size_t offset = 0;
    for (size_t at = 0; at < rows; at++) {
        const staged_row *row = (const staged_row *)(const void *)(writer->staged + offset);
        const cll_value *values = (const cll_value *)(const void *)(row + 1);
        int value_count = layout->experiments[row->experiment].value_count;
        size_t column_bytes = writer->rows_of[row->experiment] * sizeof *values;
        unsigned char *column = bytes + writer->column_of[row->experiment];
        put_number(numbers + 4 * at, row->experiment, 4);
        put_number(numbers + 4 * (rows + at), row->processor, 4);
        put_number(numbers + 4 * (2 * rows + at), row->processors, 4);
        put_number(times + 8 * at, row->time, 8);
        for (int value = 0; value < value_count; value++) {
            put_number(column + (size_t)value * column_bytes, values[value].natural, 8);
        }
        writer->column_of[row->experiment] += sizeof *values;
        offset += sizeof *row + (size_t)value_count * sizeof *values;
    }
    return size_bytes;
}

size_t cll_block_bytes(const unsigned char *head, size_t count)
{
    if (count < CLL_BLOCK_HEAD_BYTES || memcmp(head, magic, sizeof magic) != 0) {
        return 0;
    }
    return (size_t)get_number(head + 8, 8);
}

void cll_block_set_subtracted(unsigned char *block, uint64_t subtracted_ns)
{
    put_number(block + 32, subtracted_ns, 8);
}

void cll_block_reader_start(cll_block_reader *reader, const cll_layout *layout)
{
    size_t count = (size_t)layout->experiment_count;
    memset(reader, 0, sizeof *reader);
    reader->layout = layout;
    reader->rows_of = cll_allocate(count, sizeof *reader->rows_of, "the report");
    reader->row_of = cll_allocate(count, sizeof *reader->row_of, "the report");
    reader->column_of = cll_allocate(count, sizeof *reader->column_of, "the report");
    reader->values = cll_allocate((size_t)layout->most_values, sizeof *reader->values, "the report");
}

void cll_block_reader_release(cll_block_reader *reader)
{
    free(reader->rows_of);
    free(reader->row_of);
    free(reader->column_of);
    free(reader->values);
}

int cll_block_open(cll_block_reader *reader, const unsigned char *block, size_t count)
{
    const cll_layout *layout = reader->layout;
    size_t experiments = (size_t)layout->experiment_count;
    size_t size_bytes = cll_block_bytes(block, count);
    size_t end;
    reader->rows = 0;
    reader->at = 0;
    if (size_bytes == 0 || size_bytes > count) {
        return 0;
    }
    uint32_t rows = (uint32_t)get_number(block + 16, 4);
    if (times_offset(rows) + 8 * (size_t)rows > size_bytes) {
        return 0;
    }
    memset(reader->rows_of, 0, experiments * sizeof *reader->rows_of);
    memset(reader->row_of, 0, experiments * sizeof *reader->row_of);
    for (uint32_t at = 0; at < rows; at++) {
        uint64_t experiment = get_number(block + CLL_BLOCK_HEAD_BYTES + 4 * (size_t)at, 4);
        if (experiment >= experiments) {
            return 0;
        }
        reader->rows_of[experiment]++;
    }
    place_columns(layout, rows, reader->rows_of, reader->column_of, &end);
    if (end != size_bytes) {
        return 0;
    }
    uint64_t scale_bits = get_number(block + 24, 8);
    memcpy(&reader->time.nanoseconds_per_tick, &scale_bits, sizeof scale_bits);
    reader->time.subtracted_ns = get_number(block + 32, 8);
    reader->block = block;
    reader->rows = rows;
    return 1;
}

int cll_block_next(cll_block_reader *reader, cll_row *row)
{
    if (reader->at == reader->rows) {
        return 0;
    }
    size_t rows = reader->rows;
    size_t at = reader->at++;
    const unsigned char *numbers = reader->block + CLL_BLOCK_HEAD_BYTES;
    row->experiment = (int)get_number(numbers + 4 * at, 4);
    row->processor = (int32_t)get_number(numbers + 4 * (rows + at), 4);
    row->processors = (int32_t)get_number(numbers + 4 * (2 * rows + at), 4);
    row->time = get_number(reader->block + times_offset(reader->rows) + 8 * at, 8);
    const cll_layout_experiment *experiment = &reader->layout->experiments[row->experiment];
    size_t row_of = reader->row_of[row->experiment]++;
    const unsigned char *columns = reader->block + reader->column_of[row->experiment];
    for (int value = 0; value < experiment->value_count; value++) {
        reader->values[value].natural = get_number(columns + 8 * ((size_t)value * reader->rows_of[row->experiment] + row_of), 8);
    }
    row->values = reader->values;
    row->order = NULL;
    row->representations = experiment->representations;
    return 1;
}
