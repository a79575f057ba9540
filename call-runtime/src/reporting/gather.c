/* gather.c: the binomial tree. Processor p has the children p + 1, p + 2, p + 4, ... below p + (lowest bit of p); the one at distance d
 * stands for the processors p + d ... p + 2d - 1. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../bsp/supersteps.h"

/* A request is answered with at most so much. */
#define PIECE_BYTES ((size_t)1 << 18)

static const cll_block_time in_nanoseconds = {1, 0};

/* What a parent says to a child. */
typedef struct {
    int32_t wanted; /* a section, or one of those below */
    uint32_t capacity_bytes;
} gather_request;

enum { FORGET_ALL = CLL_GATHER_EVENTS + 1, KEEP_ALL };

/* The first distance at which there is no child. */
static int end_of_children(const cll_gathering *gathering)
{
    return gathering->processor == 0 ? gathering->processors : gathering->processor & -gathering->processor;
}

static int has_child(const cll_gathering *gathering, int distance)
{
    return distance < end_of_children(gathering) && distance < gathering->processors - gathering->processor;
}

static void add_total(cll_total *total, const cll_total *child, int processor)
{
    total->rows += child->rows;
    total->abandoned += child->abandoned;
    total->late_chunks += child->late_chunks;
    total->processor_time.ran_ns += child->processor_time.ran_ns;
    total->processor_time.waited_ns += child->processor_time.waited_ns;
    total->cost.measuring_ns += child->cost.measuring_ns;
    total->cost.running_ns += child->cost.running_ns;
    total->has_supersteps |= child->has_supersteps;
    total->has_events |= child->has_events;
    if (child->most_processors > total->most_processors) {
        total->most_processors = child->most_processors;
    }
    if (child->differing >= 0) {
        total->differing = child->differing;
    } else if (child->fingerprint != total->fingerprint) {
        total->differing = processor;
    }
}

/* A team that recorded events need not have measured. */
static int32_t most_processors(const cll_row_source *source)
{
    int32_t recorded = cll_events_processors();
    return recorded > source->most_processors ? recorded : source->most_processors;
}

cll_total cll_gather_start(cll_gathering *gathering, const cll_backend *backend, const void *place, cll_row_source *source)
{
    memset(gathering, 0, sizeof *gathering);
    gathering->backend = backend;
    gathering->place = place;
    gathering->processor = backend->processor(place);
    gathering->processors = backend->processors(place);
    gathering->source = source;
    gathering->distance = 1;
    gathering->piece_bytes = PIECE_BYTES;
    size_t least_bytes = 2 * cll_block_smallest_capacity(source->layout);
    if (gathering->piece_bytes < least_bytes) {
        gathering->piece_bytes = least_bytes;
    }
    cll_supersteps_start_walk(&gathering->supersteps);
    cll_block_writer_start(&gathering->block, source->layout, gathering->piece_bytes);
    cll_total total = {.rows = source->rows,
                       .abandoned = source->abandoned,
                       .late_chunks = source->records.late_chunks,
                       .processor_time = cll_processor_time_look(),
                       .cost = cll_cost_of_process(),
                       .fingerprint = cll_layout_fingerprint(source->layout),
                       .most_processors = most_processors(source),
                       .differing = -1,
                       .has_supersteps = cll_supersteps_are_wanted(),
                       .has_events = cll_events_are_there()};
    for (int distance = 1; has_child(gathering, distance); distance *= 2) {
        cll_total child;
        backend->receive(place, gathering->processor + distance, &child, sizeof child);
        add_total(&total, &child, gathering->processor + distance);
    }
    return total;
}

void cll_gather_release(cll_gathering *gathering)
{
    cll_supersteps_end_walk(&gathering->supersteps);
    cll_events_end_walk(&gathering->events);
    cll_block_writer_release(&gathering->block);
}

static size_t fill_with_rows(cll_gathering *gathering, unsigned char *bytes, size_t capacity_bytes)
{
    cll_row *row = &gathering->left_row;
    cll_block_begin(&gathering->block, capacity_bytes);
    while (gathering->has_left_row || cll_row_source_next(gathering->source, row)) {
        gathering->has_left_row = !cll_block_add(&gathering->block, row);
        if (gathering->has_left_row) {
            break;
        }
    }
    return cll_block_finish(&gathering->block, bytes, in_nanoseconds);
}

static size_t fill_with_own(cll_gathering *gathering, unsigned char *bytes, size_t capacity_bytes)
{
    switch (gathering->section) {
    case CLL_GATHER_ROWS:
        return fill_with_rows(gathering, bytes, capacity_bytes);
    case CLL_GATHER_SUPERSTEPS:
        return cll_supersteps_next_lines(&gathering->supersteps, (char *)bytes, capacity_bytes);
    case CLL_GATHER_EVENTS:
        return cll_events_next(&gathering->events, bytes, capacity_bytes);
    }
    return 0;
}

static void request(const cll_gathering *gathering, int distance, int32_t wanted, size_t capacity_bytes)
{
    gather_request message = {wanted, (uint32_t)capacity_bytes};
    gathering->backend->send(gathering->place, gathering->processor + distance, &message, sizeof message);
}

static size_t fill_from_child(cll_gathering *gathering, unsigned char *bytes, size_t capacity_bytes)
{
    request(gathering, gathering->distance, (int32_t)gathering->section, capacity_bytes);
    return gathering->backend->receive(gathering->place, gathering->processor + gathering->distance, bytes, capacity_bytes);
}

/* What comes next in the order of the processors; 0 when there is nothing left. */
static size_t fill_once(cll_gathering *gathering, unsigned char *bytes, size_t capacity_bytes)
{
    if (!gathering->own_is_done) {
        size_t count = fill_with_own(gathering, bytes, capacity_bytes);
        if (count > 0) {
            return count;
        }
        gathering->own_is_done = 1;
    }
    for (; has_child(gathering, gathering->distance); gathering->distance *= 2) {
        size_t count = fill_from_child(gathering, bytes, capacity_bytes);
        if (count > 0) {
            return count;
        }
    }
    return 0;
}

/* Small pieces of several processors become one. Where less than half of the room is left, a row need not fit. */
static size_t fill(cll_gathering *gathering, cll_gather_section section, unsigned char *bytes, size_t capacity_bytes)
{
    size_t used_bytes = 0;
    size_t count = 1;
    if (section != gathering->section) {
        gathering->section = section;
        gathering->own_is_done = 0;
        gathering->distance = 1;
    }
    while (count > 0 && capacity_bytes - used_bytes >= gathering->piece_bytes / 2) {
        count = fill_once(gathering, bytes + used_bytes, capacity_bytes - used_bytes);
        used_bytes += count;
    }
    return used_bytes;
}

size_t cll_gather_piece(cll_gathering *gathering, cll_gather_section section, unsigned char *bytes)
{
    return fill(gathering, section, bytes, gathering->piece_bytes);
}

static void tell_children(const cll_gathering *gathering, int32_t wanted)
{
    for (int distance = 1; has_child(gathering, distance); distance *= 2) {
        request(gathering, distance, wanted, 0);
    }
}

void cll_gather_finish(cll_gathering *gathering, int is_reported)
{
    tell_children(gathering, is_reported ? FORGET_ALL : KEEP_ALL);
}

int cll_gather_serve(cll_gathering *gathering, const cll_total *total)
{
    int parent = gathering->processor - (gathering->processor & -gathering->processor);
    unsigned char *bytes = cll_reallocate(NULL, gathering->piece_bytes, 1, "the report"); /* few use much of it */
    gather_request message;
    gathering->backend->send(gathering->place, parent, total, sizeof *total);
    for (;;) {
        gathering->backend->receive(gathering->place, parent, &message, sizeof message);
        if (message.wanted == FORGET_ALL || message.wanted == KEEP_ALL) {
            break;
        }
        size_t count = fill(gathering, (cll_gather_section)message.wanted, bytes, message.capacity_bytes);
        gathering->backend->send(gathering->place, parent, bytes, count);
    }
    free(bytes);
    tell_children(gathering, message.wanted);
    return message.wanted == FORGET_ALL;
}
