/* record.c: begin and end of a measurement, and the chunks of memory that hold the records. */
#include "record.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "fail.h"

/* 1 MiB holds 32768 records without variables, so a program that measures every microsecond changes chunks 30 times a second;
 * prefaulting it takes about 0.2 ms, and it is below the 2 MiB of a huge page, whose allocation time is erratic. */
#define CHUNK_BYTES ((size_t)1 << 20)

/* Between measurements the next chunk is made ready when less than this is left: room for a nest of 16384 records. */
#define LOW_WATER_BYTES (CHUNK_BYTES / 2)

/* Not above the page size of any machine. */
#define PAGE_BYTES ((size_t)4096)

typedef struct chunk {
    struct chunk *next;
    size_t size_bytes;
    size_t used_bytes;
    size_t unused;
    unsigned char bytes[];
} chunk;

int cll_processors = 1;
uint64_t cll_record_late_chunks = 0;

static chunk *first_chunk = NULL;
static chunk *current_chunk = NULL;
static chunk *spare_chunk = NULL; /* prefaulted, follows the current one */
static cll_record *innermost_record = NULL;
static size_t room_bytes = 0; /* what may be used before make_room has to look again */

static size_t record_bytes(const cll_experiment *experiment)
{
    return sizeof(cll_record) + (size_t)experiment->variable_count * sizeof(cll_value);
}

static size_t left_bytes(void)
{
    return current_chunk == NULL ? 0 : current_chunk->size_bytes - current_chunk->used_bytes;
}

/* Writes to each page. Volatile, since compilers make a calloc of malloc and memset, and calloc leaves new pages untouched. */
static void touch_pages(void *start, size_t size_bytes)
{
    volatile unsigned char *bytes = start;
    for (size_t at = 0; at < size_bytes; at += PAGE_BYTES) {
        bytes[at] = 0;
    }
    bytes[size_bytes - 1] = 0;
}

/* The same for what is not used yet of a chunk. */
static void touch_rest(chunk *target)
{
    if (target->used_bytes < target->size_bytes) {
        touch_pages(target->bytes + target->used_bytes, target->size_bytes - target->used_bytes);
    }
}

static chunk *new_chunk(size_t wanted_bytes)
{
    size_t size_bytes = CHUNK_BYTES - sizeof(chunk);
    if (size_bytes < wanted_bytes) {
        size_bytes = wanted_bytes;
    }
    chunk *made = malloc(sizeof *made + size_bytes);
    if (made == NULL) {
        cll_fail("no memory for more measurements (%zu bytes): report more often or measure less", size_bytes);
    }
    touch_pages(made, sizeof *made + size_bytes);
    made->next = NULL;
    made->size_bytes = size_bytes;
    made->used_bytes = 0;
    made->unused = 0;
    return made;
}

/* Makes sure that wanted_bytes are there and sets room_bytes. */
static void make_room(size_t wanted_bytes)
{
    if (current_chunk == NULL) {
        cll_clock_start();
        first_chunk = current_chunk = new_chunk(wanted_bytes);
    }
    if (innermost_record == NULL && spare_chunk == NULL && left_bytes() < LOW_WATER_BYTES) {
        spare_chunk = new_chunk(wanted_bytes);
    }
    if (left_bytes() < wanted_bytes) {
        if (spare_chunk != NULL && spare_chunk->size_bytes < wanted_bytes) {
            free(spare_chunk);
            spare_chunk = NULL;
        }
        if (spare_chunk == NULL) {
            if (innermost_record != NULL) {
                cll_record_late_chunks++;
            }
            spare_chunk = new_chunk(wanted_bytes);
        }
        current_chunk->next = spare_chunk;
        current_chunk = spare_chunk;
        spare_chunk = NULL;
    }
    room_bytes = left_bytes();
    if (spare_chunk == NULL) {
        room_bytes -= room_bytes < LOW_WATER_BYTES ? room_bytes : LOW_WATER_BYTES;
        if (room_bytes < wanted_bytes) {
            room_bytes = wanted_bytes;
        }
    }
}

void cll_record_prepare(void)
{
    make_room(0);
}

void cll_begin(const cll_experiment *experiment, const cll_value *values)
{
    size_t size_bytes = record_bytes(experiment);
    if (room_bytes < size_bytes) {
        make_room(size_bytes);
    }
    cll_record *record = (cll_record *)(void *)(current_chunk->bytes + current_chunk->used_bytes);
    room_bytes -= size_bytes;
    current_chunk->used_bytes += size_bytes;
    record->experiment = experiment;
    record->is.enclosing = innermost_record;
    record->processors = cll_processors;
    record->state = CLL_OPEN;
    for (int variable = 0; variable < experiment->variable_count; variable++) {
        record->values[variable] = values[variable];
    }
    innermost_record = record;
    record->start_ns = cll_clock_now_ns();
}

CLL_NEVER_RETURNS static void fail_not_open(const cll_experiment *experiment)
{
    char lines[256] = "";
    size_t length = 0;
    for (int block = 0; block < experiment->block_count && length < sizeof lines - 40; block++) {
        length += (size_t)snprintf(lines + length, sizeof lines - length, "%s%d-%d", block == 0 ? "" : ", ",
                                   experiment->blocks[block].first_line, experiment->blocks[block].last_line);
    }
    cll_fail("end %s: no measurement of experiment %s (lines %s) is open: its begin was not executed or it was ended twice",
             experiment->name, experiment->name, lines);
}

/* A return, goto or longjmp has left measurements inside this one without their end. */
static cll_record *abandon_inside(const cll_experiment *experiment)
{
    cll_record *found = innermost_record;
    while (found != NULL && found->experiment != experiment) {
        found = found->is.enclosing;
    }
    if (found == NULL) {
        fail_not_open(experiment);
    }
    for (cll_record *left = innermost_record; left != found; left = left->is.enclosing) {
        left->state = CLL_ABANDONED;
    }
    return found;
}

void cll_end(const cll_experiment *experiment)
{
    uint64_t end_ns = cll_clock_now_ns();
    cll_record *record = innermost_record;
    if (record == NULL || record->experiment != experiment) {
        record = abandon_inside(experiment);
    }
    innermost_record = record->is.enclosing;
    record->is.elapsed_ns = end_ns - record->start_ns;
    record->state = CLL_MEASURED;
}

cll_record *cll_record_next(cll_record_walk *walk)
{
    const chunk *at = walk->chunk == NULL ? first_chunk : walk->chunk;
    size_t offset = walk->offset;
    while (at != NULL && offset == at->used_bytes) {
        at = at->next;
        offset = 0;
    }
    if (at == NULL) {
        return NULL;
    }
    cll_record *record = (cll_record *)(void *)((unsigned char *)(uintptr_t)at->bytes + offset);
    walk->chunk = at;
    walk->offset = offset + record_bytes(record->experiment);
    return record;
}

static int is_needed(const chunk *candidate)
{
    for (size_t offset = 0; offset < candidate->used_bytes;) {
        const cll_record *record = (const cll_record *)(const void *)(candidate->bytes + offset);
        if (record->state != CLL_FORGOTTEN) {
            return 1;
        }
        offset += record_bytes(record->experiment);
    }
    return 0;
}

void cll_record_sweep(void)
{
    chunk *kept_last = NULL;
    chunk *candidate = first_chunk;
    first_chunk = NULL;
    while (candidate != NULL) {
        chunk *next = candidate->next;
        int needed = is_needed(candidate);
        if (!needed) {
            candidate->used_bytes = 0;
        }
        if (!needed && candidate != current_chunk) {
            free(candidate);
        } else {
            candidate->next = NULL;
            if (kept_last == NULL) {
                first_chunk = candidate;
            } else {
                kept_last->next = candidate;
            }
            kept_last = candidate;
        }
        candidate = next;
    }
    room_bytes = 0;
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

uint64_t cll_record_empty_pair_ns(void)
{
    enum { PAIRS = 1001 }; /* odd, so that the median is one of them */
    static const cll_experiment scratch = {"empty pair", NULL, 0, NULL, 0, NULL};
    static uint64_t elapsed_ns[PAIRS];
    static int is_known = 0;
    if (is_known) {
        return elapsed_ns[PAIRS / 2];
    }
    is_known = 1;
    for (int pair = 0; pair < PAIRS; pair++) {
        cll_begin(&scratch, NULL);
        cll_record *record = innermost_record;
        cll_end(&scratch);
        elapsed_ns[pair] = record->is.elapsed_ns;
        current_chunk->used_bytes -= sizeof *record; /* leaves no row */
    }
    qsort(elapsed_ns, PAIRS, sizeof *elapsed_ns, ascending);
    return elapsed_ns[PAIRS / 2];
}

void cll_record_forked(int keep)
{
    cll_record_walk walk = {0};
    cll_record *record;
    while (!keep && (record = cll_record_next(&walk)) != NULL) {
        if (record->state != CLL_OPEN) {
            record->state = CLL_FORGOTTEN;
        }
    }
    if (!keep) {
        cll_record_late_chunks = 0;
        cll_record_sweep();
    }
    if (current_chunk != NULL) {
        touch_rest(current_chunk);
    }
    if (spare_chunk != NULL) {
        touch_rest(spare_chunk);
    }
}
