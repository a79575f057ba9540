/* writer.h: buffered output with number formatting of its own, several times as fast as printf. */
#ifndef CLL_WRITER_H
#define CLL_WRITER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int file;
    int error; /* errno of the first write that failed; what follows is dropped */
    uint64_t written_bytes;
    size_t used_bytes;
    char bytes[1 << 16];
} cll_writer;

void cll_writer_start(cll_writer *writer, int file);
void cll_writer_flush(cll_writer *writer);

void cll_write_bytes(cll_writer *writer, const char *bytes, size_t count);
void cll_write_text(cll_writer *writer, const char *text);
void cll_write_integer(cll_writer *writer, long long value);
void cll_write_natural(cll_writer *writer, unsigned long long value);

/* The shortest of 15, 16 and 17 significant digits that gives the same double back; nan, inf, -inf. */
void cll_write_real(cll_writer *writer, double value);

/* Seconds with nine decimals. */
void cll_write_seconds(cll_writer *writer, uint64_t nanoseconds);

/* A word among others, with line feeds, carriage returns, tabulators, blanks and backslashes escaped. */
void cll_write_word(cll_writer *writer, const char *word);

/* A header line `# key: value`, with line feeds, carriage returns and backslashes of the value escaped. */
void cll_write_header(cll_writer *writer, const char *key, const char *value);
void cll_write_header_number(cll_writer *writer, const char *key, uint64_t value);

#endif
