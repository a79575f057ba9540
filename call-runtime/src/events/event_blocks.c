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
CLL_PER_THREAD void *cll_event_barrier_caller = NULL;
CLL_PER_THREAD cll_event_stream *cll_own_events = NULL;
cll_event_stream *cll_event_streams = NULL;

static uint64_t event_origin_ticks = 0;

static void empty_block(cll_event_stream *stream, cll_event_block *block)
{
    block->next = NULL;
    block->event_count = 0;
    block->start_ticks = stream->last_ticks - event_origin_ticks;
    stream->block = block;
    stream->at = block->bytes + CLL_EVENT_HEAD_BYTES;
    stream->end = block->bytes + CLL_EVENT_BLOCK_BYTES - CLL_LONGEST_EVENT_BYTES;
}

/* Writes to each page, so that no event meets a new one. Of simulated processors there are many, and new pages take them no time. */
static cll_event_block *new_event_block(void)
{
    cll_event_block *made = malloc(sizeof *made);
    if (made == NULL) {
        cll_fail("no memory for the events: set CALL_EVENTS to 0, or leave CALL_SAVE unset, with which they go into files");
    }
#ifndef CLL_SMPI
    for (size_t at = 0; at < CLL_EVENT_BLOCK_BYTES; at += 4096) {
        ((volatile unsigned char *)made->bytes)[at] = 0;
    }
#endif
    return made;
}

void cll_event_stream_start(cll_event_stream *stream, int processor, uint64_t origin_ticks)
{
    cll_event_stream **place = &cll_event_streams;
    while (*place != NULL && (*place)->processor < processor) {
        place = &(*place)->next;
    }
    event_origin_ticks = origin_ticks;
    stream->processor = processor;
    stream->last_ticks = origin_ticks;
    stream->save_at_ticks = UINT64_MAX;
    stream->saved = NULL;
    stream->first = new_event_block();
    empty_block(stream, stream->first);
    stream->next = *place;
    *place = stream;
}

static void note_used(cll_event_stream *stream)
{
    stream->block->used_bytes = (size_t)(stream->at - stream->block->bytes);
}

void cll_event_block_add(cll_event_stream *stream)
{
    cll_event_block *made = new_event_block();
    note_used(stream);
    stream->block->next = made;
    empty_block(stream, made);
}

void cll_event_blocks_forget(cll_event_stream *stream)
{
    while (stream->first->next != NULL) {
        cll_event_block *next = stream->first->next;
        free(stream->first);
        stream->first = next;
    }
    empty_block(stream, stream->first);
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

void cll_event_block_seal(cll_event_stream *stream, cll_event_block *block)
{
    if (block == stream->block) {
        note_used(stream);
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
