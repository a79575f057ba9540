/* arena.c: first fit at the lowest address, so the pages that are in use already are used again before new ones are touched.
 * Packets are few (one for each partner and superstep), so the list of gaps is short. */
#include "arena.h"

#include <stdint.h>

#define UNIT_BYTES ((size_t)64)

/* Tokens and other packets without a payload: blocks of one size, cut from a slab, so that they never break up a large gap. */
#define SMALL_BYTES ((size_t)128)
#define SMALL_BLOCKS_IN_SLAB ((size_t)64)

typedef struct {
    size_t size_bytes; /* with this head */
    size_t unused;
} head;

typedef struct gap {
    size_t size_bytes;
    struct gap *next; /* at a higher address */
} gap;

static gap *lowest = NULL;
static gap *small_blocks = NULL;

void cll_arena_start(void *base, size_t size_bytes)
{
    lowest = base;
    lowest->size_bytes = size_bytes / UNIT_BYTES * UNIT_BYTES;
    lowest->next = NULL;
}

static void *take_block(size_t size_bytes)
{
    for (gap **link = &lowest; *link != NULL; link = &(*link)->next) {
        gap *found = *link;
        if (found->size_bytes < size_bytes) {
            continue;
        }
        if (found->size_bytes - size_bytes > SMALL_BYTES) {
            gap *rest = (gap *)(void *)((unsigned char *)found + size_bytes);
            rest->size_bytes = found->size_bytes - size_bytes;
            rest->next = found->next;
            *link = rest;
        } else {
            size_bytes = found->size_bytes;
            *link = found->next;
        }
        ((head *)(void *)found)->size_bytes = size_bytes;
        return found;
    }
    return NULL;
}

static void give_block(gap *block)
{
    gap *below = NULL;
    gap *above = lowest;
    while (above != NULL && (uintptr_t)above < (uintptr_t)block) {
        below = above;
        above = above->next;
    }
    block->next = above;
    if (above != NULL && (unsigned char *)block + block->size_bytes == (unsigned char *)above) {
        block->size_bytes += above->size_bytes;
        block->next = above->next;
    }
    if (below == NULL) {
        lowest = block;
    } else if ((unsigned char *)below + below->size_bytes == (unsigned char *)block) {
        below->size_bytes += block->size_bytes;
        below->next = block->next;
    } else {
        below->next = block;
    }
}

static void cut_small_blocks(void)
{
    unsigned char *slab = take_block(SMALL_BLOCKS_IN_SLAB * SMALL_BYTES);
    for (size_t index = SMALL_BLOCKS_IN_SLAB; slab != NULL && index > 0; index--) {
        gap *block = (gap *)(void *)(slab + (index - 1) * SMALL_BYTES);
        block->size_bytes = SMALL_BYTES;
        block->next = small_blocks;
        small_blocks = block;
    }
}

void *cll_arena_take(size_t count)
{
    if (count > SIZE_MAX - sizeof(head) - UNIT_BYTES) {
        return NULL;
    }
    size_t size_bytes = (sizeof(head) + count + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
    head *block;
    if (size_bytes <= SMALL_BYTES) {
        if (small_blocks == NULL) {
            cut_small_blocks();
        }
        block = (head *)(void *)small_blocks;
        if (small_blocks != NULL) {
            small_blocks = small_blocks->next;
        }
    } else {
        block = take_block(size_bytes);
    }
    return block == NULL ? NULL : block + 1;
}

void cll_arena_give(void *bytes)
{
    gap *block = (gap *)(void *)((head *)bytes - 1);
    if (block->size_bytes == SMALL_BYTES) {
        block->next = small_blocks;
        small_blocks = block;
    } else {
        give_block(block);
    }
}
