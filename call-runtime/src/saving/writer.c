/* writer.c: the buffer and the number formats of the trace. */
#include "writer.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/file.h"

void cll_writer_start(cll_writer *writer, int file)
{
    writer->file = file;
    writer->error = 0;
    writer->written_bytes = 0;
    writer->used_bytes = 0;
}

void cll_writer_flush(cll_writer *writer)
{
    if (writer->error == 0 && cll_file_write(writer->file, writer->bytes, writer->used_bytes)) {
        writer->written_bytes += writer->used_bytes;
    } else if (writer->error == 0) {
        writer->error = errno;
    }
    writer->used_bytes = 0;
}

void cll_write_bytes(cll_writer *writer, const char *bytes, size_t count)
{
    while (count > 0) {
        size_t part = sizeof writer->bytes - writer->used_bytes;
        if (part == 0) {
            cll_writer_flush(writer);
            continue;
        }
        if (part > count) {
            part = count;
        }
        memcpy(writer->bytes + writer->used_bytes, bytes, part);
        writer->used_bytes += part;
        bytes += part;
        count -= part;
    }
}

void cll_write_text(cll_writer *writer, const char *text)
{
    cll_write_bytes(writer, text, strlen(text));
}

static void write_digits(cll_writer *writer, int negative, unsigned long long magnitude)
{
    char digits[24];
    char *first = digits + sizeof digits;
    do {
        *--first = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);
    if (negative) {
        *--first = '-';
    }
    cll_write_bytes(writer, first, (size_t)(digits + sizeof digits - first));
}

void cll_write_natural(cll_writer *writer, unsigned long long value)
{
    write_digits(writer, 0, value);
}

void cll_write_integer(cll_writer *writer, long long value)
{
    write_digits(writer, value < 0, value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value);
}

void cll_write_seconds(cll_writer *writer, uint64_t nanoseconds)
{
    char decimals[10];
    uint64_t rest = nanoseconds % CLL_NANOSECONDS_PER_SECOND;
    write_digits(writer, 0, nanoseconds / CLL_NANOSECONDS_PER_SECOND);
    for (int place = 9; place > 0; place--) {
        decimals[place] = (char)('0' + rest % 10);
        rest /= 10;
    }
    decimals[0] = '.';
    cll_write_bytes(writer, decimals, sizeof decimals);
}

/* The program may have set a locale with another decimal point. */
static void replace_decimal_point(char *text)
{
    const char *point = localeconv()->decimal_point;
    size_t length = strlen(point);
    char *at = length == 0 || strcmp(point, ".") == 0 ? NULL : strstr(text, point);
    if (at != NULL) {
        *at = '.';
        memmove(at + 1, at + length, strlen(at + length) + 1);
    }
}

void cll_write_real(cll_writer *writer, double value)
{
    /* Whole numbers below this are printed by %.15g without an exponent, which integers do faster. */
    const double exact_limit = 1e15;
    if (isnan(value)) {
        cll_write_text(writer, "nan");
    } else if (isinf(value)) {
        cll_write_text(writer, value < 0 ? "-inf" : "inf");
    } else if (fabs(value) < exact_limit && value == (double)(long long)value && !(value == 0 && signbit(value))) {
        cll_write_integer(writer, (long long)value);
    } else {
        char text[64];
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, value);
            if (strtod(text, NULL) == value) {
                break;
            }
        }
        replace_decimal_point(text);
        cll_write_text(writer, text);
    }
}

/* Bytes of `plain` stay as they are, though they have an escape. */
static void write_escaped(cll_writer *writer, const char *value, const char *plain)
{
    static const char escaped[] = "\n\r\\\t ";
    static const char letters[] = "nr\\ts";
    for (; *value != '\0'; value++) {
        const char *found = strchr(plain, *value) == NULL ? strchr(escaped, *value) : NULL;
        if (found == NULL) {
            cll_write_bytes(writer, value, 1);
        } else {
            cll_write_text(writer, "\\");
            cll_write_bytes(writer, &letters[found - escaped], 1);
        }
    }
}

void cll_write_word(cll_writer *writer, const char *word)
{
    write_escaped(writer, word, "");
}

void cll_write_header(cll_writer *writer, const char *key, const char *value)
{
    cll_write_text(writer, "# ");
    cll_write_text(writer, key);
    cll_write_text(writer, ": ");
    write_escaped(writer, value, "\t ");
    cll_write_text(writer, "\n");
}

void cll_write_header_number(cll_writer *writer, const char *key, uint64_t value)
{
    cll_write_text(writer, "# ");
    cll_write_text(writer, key);
    cll_write_text(writer, ": ");
    cll_write_natural(writer, value);
    cll_write_text(writer, "\n");
}
