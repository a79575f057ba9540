/* superstep_records.c: records one behind the other in chunks, and the text that is made of them. */
#include "superstep_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "call_sites.h"
#include "inside_experiments.h"

enum { SECTION_HEAD, SECTION_CALL_SITES, SECTION_RECORDS, SECTION_DONE };

/* The longest of the numbers that a line consists of, with the blank behind. */
#define NUMBER_BYTES ((size_t)24)

#define SUPERSTEP_CHUNK_BYTES ((size_t)1 << 18)

typedef struct cll_superstep_chunk {
    struct cll_superstep_chunk *next;
    size_t size_bytes;
    size_t used_bytes;
    unsigned char bytes[];
} cll_superstep_chunk;

cll_superstep_head cll_superstep_own_head;

static cll_superstep_chunk *first_superstep_chunk = NULL;
static cll_superstep_chunk *last_superstep_chunk = NULL;

/* Writes to each page, so that no record meets a new one. Volatile, since compilers leave out what nobody reads. */
static cll_superstep_chunk *new_superstep_chunk(size_t needed_bytes)
{
    size_t size_bytes = SUPERSTEP_CHUNK_BYTES - sizeof(cll_superstep_chunk);
    if (size_bytes < needed_bytes) {
        size_bytes = needed_bytes;
    }
    cll_superstep_chunk *made = malloc(sizeof *made + size_bytes);
    if (made == NULL) {
        cll_fail("no memory for the records of supersteps: report more often, or set CALL_SUPERSTEPS to 0");
    }
    made->next = NULL;
    made->size_bytes = size_bytes;
    made->used_bytes = 0;
    for (size_t at = 0; at < size_bytes; at += 4096) {
        ((volatile unsigned char *)made->bytes)[at] = 0;
    }
    return made;
}

void cll_superstep_records_reserve(size_t record_bytes)
{
    if (last_superstep_chunk != NULL && last_superstep_chunk->size_bytes - last_superstep_chunk->used_bytes >= record_bytes) {
        return;
    }
    cll_superstep_chunk *made = new_superstep_chunk(record_bytes);
    if (last_superstep_chunk == NULL) {
        first_superstep_chunk = made;
    } else {
        last_superstep_chunk->next = made;
    }
    last_superstep_chunk = made;
}

cll_superstep_record *cll_superstep_record_start(void)
{
    return (cll_superstep_record *)(void *)(last_superstep_chunk->bytes + last_superstep_chunk->used_bytes);
}

void cll_superstep_record_grow(size_t more_bytes)
{
    last_superstep_chunk->used_bytes += more_bytes;
}

/* Experiments that were not known when room was made may need another chunk. */
cll_superstep_record *cll_superstep_record_reserve_behind(cll_superstep_record *last, size_t more_bytes)
{
    cll_superstep_chunk *chunk = last_superstep_chunk;
    size_t record_bytes = cll_superstep_record_bytes(last->partner_count, 0);
    if (chunk->size_bytes - chunk->used_bytes >= more_bytes) {
        return last;
    }
    cll_superstep_records_reserve(record_bytes + more_bytes);
    memcpy(last_superstep_chunk->bytes, last, record_bytes);
    chunk->used_bytes -= record_bytes;
    last_superstep_chunk->used_bytes = record_bytes;
    return (cll_superstep_record *)(void *)last_superstep_chunk->bytes;
}

int cll_supersteps_are_there(void)
{
    return first_superstep_chunk != NULL && (first_superstep_chunk->next != NULL || first_superstep_chunk->used_bytes > 0);
}

void cll_supersteps_forget(void)
{
    while (first_superstep_chunk != NULL && first_superstep_chunk->next != NULL) {
        cll_superstep_chunk *next = first_superstep_chunk->next;
        free(first_superstep_chunk);
        first_superstep_chunk = next;
    }
    if (first_superstep_chunk != NULL) {
        first_superstep_chunk->used_bytes = 0;
    }
}

static char *line_room(cll_supersteps_walk *walk, size_t wanted_bytes)
{
    if (walk->line_capacity < wanted_bytes) {
        walk->line_capacity = 2 * wanted_bytes;
        walk->line = realloc(walk->line, walk->line_capacity);
        if (walk->line == NULL) {
            cll_fail("no memory to report supersteps");
        }
    }
    return walk->line;
}

static void make_section_head(cll_supersteps_walk *walk)
{
    char *line = line_room(walk, 5 * NUMBER_BYTES);
    walk->line_bytes = (size_t)sprintf(line, "# supersteps of processor %d, clock %s\n", cll_superstep_own_head.processor,
                                       cll_superstep_own_head.has_common_origin ? "common" : "own");
}

static void make_call_site_line(cll_supersteps_walk *walk, uint32_t call_site)
{
    const char *text = cll_call_site_text(call_site);
    char *line = line_room(walk, strlen(text) + 2 * NUMBER_BYTES);
    walk->line_bytes = (size_t)sprintf(line, "# place %lu: %s\n", (unsigned long)cll_call_site_number(call_site), text);
}

static void make_superstep_columns(cll_supersteps_walk *walk)
{
    static const char names[] = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s "
                                "out_bytes in_bytes out_messages in_messages partners experiments inner_waiting_s inner_communicating_s\n";
    memcpy(line_room(walk, sizeof names), names, sizeof names);
    walk->line_bytes = sizeof names - 1;
}

/* With zeros in front up to so many digits; several times as fast as printf. */
static char *add_digits(char *at, uint64_t number, int least)
{
    char digits[NUMBER_BYTES];
    int count = 0;
    for (; number > 0 || count < least; number /= 10) {
        digits[count++] = (char)('0' + number % 10);
    }
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

static char *add_natural(char *at, char before, uint64_t number)
{
    *at++ = before;
    return add_digits(at, number, 1);
}

static char *add_seconds(char *at, char before, uint64_t nanoseconds)
{
    at = add_natural(at, before, nanoseconds / CLL_NANOSECONDS_PER_SECOND);
    *at++ = '.';
    return add_digits(at, nanoseconds % CLL_NANOSECONDS_PER_SECOND, 9);
}

static uint64_t since_origin_ns(uint64_t ticks)
{
    uint64_t origin_ticks = cll_superstep_own_head.origin_ticks;
    return ticks < origin_ticks ? 0 : cll_clock_nanoseconds(ticks - origin_ticks);
}

/* Each part is rounded, and the last one is what is left, so that they add up. */
static char *add_times(char *at, const cll_superstep_record *record)
{
    uint64_t start_ns = since_origin_ns(record->start_ticks);
    uint64_t end_ns = since_origin_ns(record->end_ticks);
    uint64_t inner_ns = cll_clock_nanoseconds(record->inner_recording_ticks);
    inner_ns = inner_ns < end_ns - start_ns ? inner_ns : end_ns - start_ns;
    uint64_t total_ns = end_ns - start_ns - inner_ns;
    uint64_t computing_ns = cll_clock_nanoseconds(record->computing_ticks);
    uint64_t waiting_ns = cll_clock_nanoseconds(record->waiting_ticks);
    computing_ns = computing_ns < total_ns ? computing_ns : total_ns;
    waiting_ns = waiting_ns < total_ns - computing_ns ? waiting_ns : total_ns - computing_ns;
    at = add_seconds(at, ' ', start_ns);
    at = add_seconds(at, ' ', computing_ns);
    at = add_seconds(at, ' ', waiting_ns);
    at = add_seconds(at, ' ', total_ns - computing_ns - waiting_ns);
    return add_seconds(at, ' ', since_origin_ns(record->recorded_ticks) - end_ns + inner_ns);
}

static char *add_partners(char *at, const cll_superstep_record *record)
{
    if (record->partner_count == 0) {
        *at++ = ' ';
        *at++ = '-';
    }
    for (uint32_t number = 0; number < record->partner_count; number++) {
        const cll_processor_range *range = &record->partners[number];
        at = add_natural(at, number == 0 ? ' ' : ',', (uint64_t)range->first);
        if (range->last > range->first) {
            at = add_natural(at, '-', (uint64_t)range->last);
        }
    }
    return at;
}

/* Never more than all of its computing, as the parts are rounded. */
static char *add_experiment_times(char *at, cll_superstep_record *record)
{
    const cll_experiment_time *times = cll_superstep_experiments(record);
    uint64_t computing_ns = cll_clock_nanoseconds(record->computing_ticks);
    if (record->experiment_count == 0) {
        *at++ = ' ';
        *at++ = '-';
    }
    for (uint32_t number = 0; number < record->experiment_count; number++) {
        const char *name = cll_inside_name(times[number].experiment);
        uint64_t inside_ns = cll_clock_nanoseconds(times[number].ticks);
        size_t length = strlen(name);
        *at++ = number == 0 ? ' ' : ',';
        memcpy(at, name, length);
        at = add_seconds(at + length, '=', inside_ns < computing_ns ? inside_ns : computing_ns);
    }
    return at;
}

static size_t experiment_times_bytes(cll_superstep_record *record)
{
    const cll_experiment_time *times = cll_superstep_experiments(record);
    size_t count = 0;
    for (uint32_t number = 0; number < record->experiment_count; number++) {
        count += strlen(cll_inside_name(times[number].experiment)) + 2 * NUMBER_BYTES;
    }
    return count;
}

static cll_superstep_record *next_superstep(cll_supersteps_walk *walk)
{
    while (walk->chunk != NULL && walk->offset == walk->chunk->used_bytes) {
        if (walk->chunk->next == NULL) {
            return NULL;
        }
        walk->chunk = walk->chunk->next;
        walk->offset = 0;
    }
    return walk->chunk == NULL ? NULL : (cll_superstep_record *)(void *)(walk->chunk->bytes + walk->offset);
}

static void pass_superstep(cll_supersteps_walk *walk, const cll_superstep_record *record)
{
    walk->offset += cll_superstep_record_bytes(record->partner_count, record->experiment_count);
}

/* In an open walk: does its place have to be told first? */
static int is_news(cll_supersteps_walk *walk, uint32_t call_site)
{
    uint32_t number = cll_call_site_number(call_site);
    if (walk->told_count <= number) {
        size_t count = 2 * (size_t)number + 16;
        walk->is_told = cll_reallocate(walk->is_told, count, 1, "the call sites of supersteps");
        memset(walk->is_told + walk->told_count, 0, count - walk->told_count);
        walk->told_count = count;
    }
    int is_told = walk->is_told[number];
    walk->is_told[number] = 1;
    return !is_told;
}

static void make_superstep_line(cll_supersteps_walk *walk, cll_superstep_record *record)
{
    size_t numbers = 20 + 2 * (size_t)record->partner_count;
    char *line = line_room(walk, numbers * NUMBER_BYTES + experiment_times_bytes(record));
    char *at = line;
    *at++ = '#';
    at = add_natural(at, ' ', record->superstep);
    at = add_natural(at, ' ', (uint64_t)record->machine.first);
    at = add_natural(at, '-', (uint64_t)record->machine.last);
    at = add_natural(at, '.', (uint64_t)record->machine_number);
    at = add_natural(at, ' ', (uint64_t)record->depth);
    at = add_natural(at, ' ', cll_call_site_number(record->call_site));
    at = add_times(at, record);
    at = add_natural(at, ' ', record->out.bytes);
    at = add_natural(at, ' ', record->in.bytes);
    at = add_natural(at, ' ', record->out.messages);
    at = add_natural(at, ' ', record->in.messages);
    at = add_partners(at, record);
    at = add_experiment_times(at, record);
    at = add_seconds(at, ' ', cll_clock_nanoseconds(record->inner_waiting_ticks));
    at = add_seconds(at, ' ', cll_clock_nanoseconds(record->inner_communicating_ticks));
    *at++ = '\n';
    walk->line_bytes = (size_t)(at - line);
}

/* Returns whether there is one. */
static int make_section_line(cll_supersteps_walk *walk)
{
    cll_superstep_record *record;
    walk->line_offset = 0;
    switch (walk->stage) {
    case SECTION_HEAD:
        make_section_head(walk);
        walk->stage = SECTION_CALL_SITES;
        return 1;
    case SECTION_CALL_SITES:
        if (!walk->is_open && cll_call_site_next(&walk->call_site)) {
            make_call_site_line(walk, walk->call_site++);
            return 1;
        }
        make_superstep_columns(walk);
        walk->stage = SECTION_RECORDS;
        return 1;
    case SECTION_RECORDS:
        record = next_superstep(walk);
        if (record != NULL && walk->is_open && is_news(walk, record->call_site)) {
            make_call_site_line(walk, record->call_site);
            return 1;
        }
        if (record != NULL) {
            make_superstep_line(walk, record);
            pass_superstep(walk, record);
            return 1;
        }
        walk->stage = walk->is_open ? SECTION_RECORDS : SECTION_DONE;
        break;
    default:
        break;
    }
    walk->line_bytes = 0;
    return 0;
}

void cll_supersteps_start_walk(cll_supersteps_walk *walk)
{
    memset(walk, 0, sizeof *walk);
    walk->stage = SECTION_HEAD;
    cll_call_sites_describe();
    walk->chunk = first_superstep_chunk;
    const cll_superstep_record *record;
    while ((record = next_superstep(walk)) != NULL) {
        cll_call_site_use(record->call_site);
        pass_superstep(walk, record);
    }
    walk->chunk = first_superstep_chunk;
    walk->offset = 0;
}

void cll_supersteps_start_open_walk(cll_supersteps_walk *walk)
{
    memset(walk, 0, sizeof *walk);
    walk->stage = SECTION_HEAD;
    walk->is_open = 1;
    walk->chunk = first_superstep_chunk;
}

size_t cll_supersteps_next_lines(cll_supersteps_walk *walk, char *bytes, size_t capacity)
{
    size_t count = 0;
    for (;;) {
        size_t left = walk->line_bytes - walk->line_offset;
        size_t room_bytes = capacity - count;
        if (left > room_bytes && count > 0) {
            return count;
        }
        size_t part = left < room_bytes ? left : room_bytes;
        if (part > 0) {
            memcpy(bytes + count, walk->line + walk->line_offset, part);
            walk->line_offset += part;
            count += part;
        }
        if (part < left || !make_section_line(walk)) {
            return count;
        }
    }
}

void cll_supersteps_end_walk(cll_supersteps_walk *walk)
{
    free(walk->line);
    free(walk->is_told);
    walk->line = NULL;
    walk->is_told = NULL;
}
