/* block.h: rows as columns of raw numbers: on the way to processor 0, on disk while the program runs, and in binary traces. FORMAT.md
 * describes the bytes. */
#ifndef CLL_BLOCK_H
#define CLL_BLOCK_H

#include "layout.h"

#define CLL_BLOCK_HEAD_BYTES ((size_t)40)

/* What makes nanoseconds of the times of a block. */
typedef struct {
    double nanoseconds_per_tick;
    uint64_t subtracted_ns;
} cll_block_time;

/* Makes a block of at most so many bytes: rows are admitted as long as they fit, then placed in the same order. */
typedef struct {
    const cll_layout *layout;
    size_t capacity_bytes;
    size_t block_bytes; /* of the finished block */
    uint32_t rows;
    uint32_t *rows_of; /* each experiment */
    uint32_t *left_of; /* each experiment, rows that are admitted and not yet placed */
    size_t *column_of; /* each experiment, where its next row goes */
    unsigned char *bytes;
    uint32_t placed;
    unsigned char *staged; /* rows between */
    size_t staged_bytes;
} cll_block_writer;

/* The smallest capacity is that of one row. */
void cll_block_writer_start(cll_block_writer *writer, const cll_layout *layout, size_t largest_capacity_bytes);
void cll_block_writer_release(cll_block_writer *writer);

/* Begins a block. */
void cll_block_begin(cll_block_writer *writer, size_t capacity_bytes);

/* Returns how many of so many more rows of the experiment fit. */
uint32_t cll_block_admit(cll_block_writer *writer, int experiment, uint32_t count);

/* Writes the head; then the admitted rows are to be placed. Returns the size of the block, 0 if it has no rows. */
size_t cll_block_start_rows(cll_block_writer *writer, unsigned char *bytes, cll_block_time time);

/* Places neighbouring records of one description, column by column. `processor`: the number of
 * thread 0. Returns the size of the largest machine in use. */
int32_t cll_block_place_records(cll_block_writer *writer, const cll_layout_source *source, const cll_record *first, uint32_t count,
                                int processor);

/* The same for rows that come only once: adds a row if it fits; places all. */
int cll_block_add(cll_block_writer *writer, const cll_row *row);
size_t cll_block_finish(cll_block_writer *writer, unsigned char *bytes, cll_block_time time);

/* Largest block with one row of the layout. */
size_t cll_block_smallest_capacity(const cll_layout *layout);

/* Says how large a block is from its head; 0 if there is none. */
size_t cll_block_bytes(const unsigned char *head, size_t count);

void cll_block_set_subtracted(unsigned char *block, uint64_t subtracted_ns);

/* Gives the rows of a block back. */
typedef struct {
    const cll_layout *layout;
    const unsigned char *block;
    uint32_t rows;
    uint32_t at;
    cll_block_time time;
    uint32_t *rows_of;
    uint32_t *row_of;  /* next row of each experiment */
    size_t *column_of; /* each experiment, its first column */
    cll_value *values;
} cll_block_reader;

void cll_block_reader_start(cll_block_reader *reader, const cll_layout *layout);
void cll_block_reader_release(cll_block_reader *reader);

/* Returns 0 if the bytes are no block of this layout. */
int cll_block_open(cll_block_reader *reader, const unsigned char *block, size_t count);

/* Returns 0 behind the last row. The values stay until the next call. */
int cll_block_next(cll_block_reader *reader, cll_row *row);

#endif
