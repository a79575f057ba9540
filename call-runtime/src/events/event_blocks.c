/* event_blocks.c: the blocks, and their heads. */
#include "event_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"

/* Where the parts of a head stand. */
enum { LENGTH_AT = 8, COUNT_AT = 16, CLOCK_AT = 24, START_AT = 32, SHIFT_AT = 40 };

static const char event_magic[8] = {'C', 'L', 'L', 'E', 'V', 'E', 'N', 'T'};

CLL_PER_THREAD int cll_records_events = 0;
cll_event_writer cll_own_events;
cll_event_block *cll_first_event_block = NULL;

static uint64_t event_origin_ticks = 0;

static void empty_block(cll_event_block *block)
{
    block->next = NULL;
    block->event_count = 0;
    block->start_ticks = cll_own_events.last_ticks - event_origin_ticks;
    cll_own_events.block = block;
    cll_own_events.at = block->bytes + CLL_EVENT_HEAD_BYTES;
    cll_own_events.end = block->bytes + CLL_EVENT_BLOCK_BYTES - CLL_LONGEST_EVENT_BYTES;
}

/* Writes to each page, so that no event meets a new one. */
static cll_event_block *new_event_block(void)
{
    cll_event_block *made = malloc(sizeof *made);
    if (made == NULL) {
        cll_fail("no memory for the events of MPI: leave CALL_SAVE unset, so that they go into files, or set CALL_EVENTS to 0");
    }
    for (size_t at = 0; at < CLL_EVENT_BLOCK_BYTES; at += 4096) {
        ((volatile unsigned char *)made->bytes)[at] = 0;
    }
    return made;
}

void cll_event_blocks_start(uint64_t origin_ticks)
{
    event_origin_ticks = origin_ticks;
    cll_own_events.last_ticks = origin_ticks;
    cll_first_event_block = new_event_block();
    empty_block(cll_first_event_block);
}

static void note_used(void)
{
    cll_own_events.block->used_bytes = (size_t)(cll_own_events.at - cll_own_events.block->bytes);
}

void cll_event_block_add(void)
{
    cll_event_block *made = new_event_block();
    note_used();
    cll_own_events.block->next = made;
    empty_block(made);
}

void cll_event_blocks_forget(void)
{
    while (cll_first_event_block != NULL && cll_first_event_block->next != NULL) {
        cll_event_block *next = cll_first_event_block->next;
        free(cll_first_event_block);
        cll_first_event_block = next;
    }
    if (cll_first_event_block != NULL) {
        empty_block(cll_first_event_block);
    }
}

static void put_word(unsigned char *at, uint64_t word)
{
    for (int byte = 0; byte < 8; byte++) {
        at[byte] = (unsigned char)(word >> 8 * byte);
    }
}

void cll_event_block_set_clock(unsigned char *bytes, double nanoseconds_per_tick)
{
    uint64_t word;
    memcpy(&word, &nanoseconds_per_tick, sizeof word);
    put_word(bytes + CLOCK_AT, word);
}

void cll_event_block_seal(cll_event_block *block)
{
    if (block == cll_own_events.block) {
        note_used();
    }
    memcpy(block->bytes, event_magic, sizeof event_magic);
    put_word(block->bytes + LENGTH_AT, block->used_bytes);
    put_word(block->bytes + COUNT_AT, block->event_count);
    cll_event_block_set_clock(block->bytes, cll_clock_nanoseconds_per_tick());
    put_word(block->bytes + START_AT, block->start_ticks);
    put_word(block->bytes + SHIFT_AT, 0);
}

size_t cll_event_block_length(const unsigned char *bytes)
{
    uint64_t length = 0;
    for (int byte = 0; byte < 8; byte++) {
        length |= (uint64_t)bytes[LENGTH_AT + byte] << 8 * byte;
    }
    return (size_t)length;
}
