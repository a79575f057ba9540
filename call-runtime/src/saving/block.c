/* block.c: columns from rows, and rows from columns. */
#include "block.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"

static const unsigned char magic[8] = {'C', 'L', 'L', 'B', 'L', 'O', 'C', 'K'};

/* A row before the columns are made; its values follow. */
typedef struct {
    int32_t experiment;
    int32_t processor;
    int32_t processors;
    int32_t unused;
    uint64_t time;
} staged_row;

/* Numbers are little-endian everywhere. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LITTLE_ENDIAN_32(number) __builtin_bswap32(number)
#define LITTLE_ENDIAN_64(number) __builtin_bswap64(number)
#else
#define LITTLE_ENDIAN_32(number) (number)
#define LITTLE_ENDIAN_64(number) (number)
#endif

static inline void put_u32(unsigned char *at, uint32_t number)
{
    number = LITTLE_ENDIAN_32(number);
    memcpy(at, &number, sizeof number);
}

static inline void put_u64(unsigned char *at, uint64_t number)
{
    number = LITTLE_ENDIAN_64(number);
    memcpy(at, &number, sizeof number);
}

static inline uint32_t get_u32(const unsigned char *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return LITTLE_ENDIAN_32(number);
}

static inline uint64_t get_u64(const unsigned char *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return LITTLE_ENDIAN_64(number);
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
    writer->left_of = cll_allocate((size_t)layout->experiment_count, sizeof *writer->left_of, "the report");
    writer->column_of = cll_allocate((size_t)layout->experiment_count, sizeof *writer->column_of, "the report");
    writer->staged = cll_reallocate(NULL, 2 * largest_capacity_bytes + 1, 1, "the report"); /* a staged row has four bytes more */
    cll_block_begin(writer, largest_capacity_bytes);
}

void cll_block_writer_release(cll_block_writer *writer)
{
    free(writer->rows_of);
    free(writer->left_of);
    free(writer->column_of);
    free(writer->staged);
}

void cll_block_begin(cll_block_writer *writer, size_t capacity_bytes)
{
    writer->capacity_bytes = capacity_bytes;
    writer->block_bytes = times_offset(0);
    writer->rows = 0;
    writer->staged_bytes = 0;
    memset(writer->rows_of, 0, (size_t)writer->layout->experiment_count * sizeof *writer->rows_of);
}

/* Of the block with so many rows of the experiment more. */
static size_t block_bytes_with(const cll_block_writer *writer, int experiment, uint32_t count)
{
    size_t value_bytes = (size_t)writer->layout->experiments[experiment].value_count * sizeof(cll_value);
    size_t numbers_bytes = times_offset(writer->rows + count) - times_offset(writer->rows);
    return writer->block_bytes + numbers_bytes + count * (sizeof(uint64_t) + value_bytes);
}

uint32_t cll_block_admit(cll_block_writer *writer, int experiment, uint32_t count)
{
    size_t block_bytes;
    while ((block_bytes = block_bytes_with(writer, experiment, count)) > writer->capacity_bytes && count > 0) {
        count--;
    }
    if (count > 0) {
        writer->block_bytes = block_bytes;
        writer->rows += count;
        writer->rows_of[experiment] += count;
    }
    return count;
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

size_t cll_block_start_rows(cll_block_writer *writer, unsigned char *bytes, cll_block_time time)
{
    size_t rows = writer->rows;
    size_t size_bytes;
    uint64_t scale_bits;
    if (rows == 0) {
        return 0;
    }
    place_columns(writer->layout, writer->rows, writer->rows_of, writer->column_of, &size_bytes);
    memcpy(writer->left_of, writer->rows_of, (size_t)writer->layout->experiment_count * sizeof *writer->left_of);
    memcpy(&scale_bits, &time.nanoseconds_per_tick, sizeof scale_bits);
    memcpy(bytes, magic, sizeof magic);
    put_u64(bytes + 8, size_bytes);
    put_u32(bytes + 16, writer->rows);
    put_u32(bytes + 20, 0);
    put_u64(bytes + 24, scale_bits);
    put_u64(bytes + 32, time.subtracted_ns);
    size_t numbers_end = CLL_BLOCK_HEAD_BYTES + 12 * rows;
    memset(bytes + numbers_end, 0, times_offset(writer->rows) - numbers_end);
    writer->bytes = bytes;
    writer->placed = 0;
    return size_bytes;
}

static void place_row(cll_block_writer *writer, const cll_row *row)
{
    const cll_layout_experiment *experiment = &writer->layout->experiments[row->experiment];
    size_t rows = writer->rows;
    size_t at = writer->placed++;
    size_t column_bytes = writer->rows_of[row->experiment] * sizeof(cll_value);
    unsigned char *numbers = writer->bytes + CLL_BLOCK_HEAD_BYTES;
    unsigned char *column = writer->bytes + writer->column_of[row->experiment];
    put_u32(numbers + 4 * at, (uint32_t)row->experiment);
    put_u32(numbers + 4 * (rows + at), (uint32_t)row->processor);
    put_u32(numbers + 4 * (2 * rows + at), (uint32_t)row->processors);
    put_u64(writer->bytes + times_offset(writer->rows) + 8 * at, row->time);
    for (int value = 0; value < experiment->value_count; value++) {
        put_u64(column, cll_row_value(row, value, experiment->representations[value]).natural);
        column += column_bytes;
    }
    writer->column_of[row->experiment] += sizeof(cll_value);
}

static inline const cll_record *neighbour(const cll_record *first, size_t stride, size_t distance)
{
    return (const cll_record *)(const void *)((const unsigned char *)first + stride * distance);
}

int32_t cll_block_place_records(cll_block_writer *writer, const cll_layout_source *source, const cll_record *first, uint32_t count,
                                int processor)
{
    const cll_layout_experiment *experiment = &writer->layout->experiments[source->experiment];
    size_t stride = cll_record_bytes(source->description);
    size_t rows = writer->rows;
    unsigned char *experiments = writer->bytes + CLL_BLOCK_HEAD_BYTES + 4 * (size_t)writer->placed;
    unsigned char *times = writer->bytes + times_offset(writer->rows) + 8 * (size_t)writer->placed;
    unsigned char *column = writer->bytes + writer->column_of[source->experiment];
    int32_t most_processors = 0;
    /* A thread that still runs at the program's end may have completed a record since they were counted. */
    if (count > writer->left_of[source->experiment]) {
        count = writer->left_of[source->experiment];
    }
    writer->left_of[source->experiment] -= count;
    for (size_t at = 0; at < count; at++) {
        const cll_record *record = neighbour(first, stride, at);
        put_u32(experiments + 4 * at, (uint32_t)source->experiment);
        put_u32(experiments + 4 * (rows + at), (uint32_t)(processor + record->thread));
        put_u32(experiments + 4 * (2 * rows + at), (uint32_t)record->processors);
        put_u64(times + 8 * at, record->is.elapsed_ticks);
        most_processors = record->processors > most_processors ? record->processors : most_processors;
    }
    for (int value = 0; value < cll_kept_value_count(source->description); value++) {
        int place = source->order[value];
        cll_representation has = source->representations[value];
        cll_representation wanted = experiment->representations[value];
        for (size_t at = 0; at < count; at++) {
            put_u64(column + 8 * at, cll_value_as(neighbour(first, stride, at)->values[place], has, wanted).natural);
        }
        column += writer->rows_of[source->experiment] * sizeof(cll_value);
    }
    writer->placed += count;
    writer->column_of[source->experiment] += count * sizeof(cll_value);
    return most_processors;
}

/* A staged row has its values behind it, as the layout has them. */
int cll_block_add(cll_block_writer *writer, const cll_row *row)
{
    const cll_layout_experiment *experiment = &writer->layout->experiments[row->experiment];
    staged_row *staged = (staged_row *)(void *)(writer->staged + writer->staged_bytes);
    cll_value *values = (cll_value *)(void *)(staged + 1);
    if (cll_block_admit(writer, row->experiment, 1) == 0) {
        return 0;
    }
    staged->experiment = row->experiment;
    staged->processor = row->processor;
    staged->processors = row->processors;
    staged->time = row->time;
    for (int value = 0; value < experiment->value_count; value++) {
        values[value] = cll_row_value(row, value, experiment->representations[value]);
    }
    writer->staged_bytes += sizeof *staged + (size_t)experiment->value_count * sizeof *values;
    return 1;
}

size_t cll_block_finish(cll_block_writer *writer, unsigned char *bytes, cll_block_time time)
{
    size_t size_bytes = cll_block_start_rows(writer, bytes, time);
    size_t offset = 0;
    while (offset < writer->staged_bytes) {
        const staged_row *staged = (const staged_row *)(const void *)(writer->staged + offset);
        const cll_layout_experiment *experiment = &writer->layout->experiments[staged->experiment];
        cll_row row = {staged->experiment, staged->processor, staged->processors, staged->time, (const cll_value *)(const void *)(staged + 1),
                       NULL, experiment->representations};
        place_row(writer, &row);
        offset += sizeof *staged + (size_t)experiment->value_count * sizeof(cll_value);
    }
    return size_bytes;
}

size_t cll_block_bytes(const unsigned char *head, size_t count)
{
    if (count < CLL_BLOCK_HEAD_BYTES || memcmp(head, magic, sizeof magic) != 0) {
        return 0;
    }
    return (size_t)get_u64(head + 8);
}

void cll_block_set_subtracted(unsigned char *block, uint64_t subtracted_ns)
{
    put_u64(block + 32, subtracted_ns);
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
    uint32_t rows = get_u32(block + 16);
    if (times_offset(rows) + 8 * (size_t)rows > size_bytes) {
        return 0;
    }
    memset(reader->rows_of, 0, experiments * sizeof *reader->rows_of);
    memset(reader->row_of, 0, experiments * sizeof *reader->row_of);
    for (uint32_t at = 0; at < rows; at++) {
        uint32_t experiment = get_u32(block + CLL_BLOCK_HEAD_BYTES + 4 * (size_t)at);
        if (experiment >= experiments) {
            return 0;
        }
        reader->rows_of[experiment]++;
    }
    place_columns(layout, rows, reader->rows_of, reader->column_of, &end);
    if (end != size_bytes) {
        return 0;
    }
    uint64_t scale_bits = get_u64(block + 24);
    memcpy(&reader->time.nanoseconds_per_tick, &scale_bits, sizeof scale_bits);
    reader->time.subtracted_ns = get_u64(block + 32);
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
    row->experiment = (int)get_u32(numbers + 4 * at);
    row->processor = (int32_t)get_u32(numbers + 4 * (rows + at));
    row->processors = (int32_t)get_u32(numbers + 4 * (2 * rows + at));
    row->time = get_u64(reader->block + times_offset(reader->rows) + 8 * at);
    const cll_layout_experiment *experiment = &reader->layout->experiments[row->experiment];
    size_t row_of = reader->row_of[row->experiment]++;
    const unsigned char *columns = reader->block + reader->column_of[row->experiment];
    for (int value = 0; value < experiment->value_count; value++) {
        reader->values[value].natural = get_u64(columns + 8 * ((size_t)value * reader->rows_of[row->experiment] + row_of));
    }
    row->values = reader->values;
    row->order = NULL;
    row->representations = experiment->representations;
    return 1;
}
