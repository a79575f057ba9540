/* arena.c: first fit at the lowest address, so the pages that are in use already are used again before new ones are touched.
 * Packets are few (one for each partner and superstep), so the list of gaps is short. */
#include "arena.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../base/fail.h"

#define UNIT_BYTES ((size_t)64)

/* Tokens and other packets without a payload: blocks of one size, cut from a slab, so that they never break up a large gap. */
#define SMALL_BYTES ((size_t)128)
#define SMALL_BLOCKS_IN_SLAB ((size_t)64)

/* Not above the page size of any machine. */
#define PAGE_BYTES ((size_t)4096)

#define SMALLEST_ARENA_BYTES ((size_t)1 << 20)

/* Touched at the start: enough for the messages of most supersteps, little enough to start 64 processors in a blink, as on virtual
 * computers a page may take several microseconds. */
#define WARM_BYTES ((size_t)1 << 20)
#define WARM_BYTES_OF_ALL ((size_t)16 << 20)

typedef struct {
    size_t size_bytes; /* with this head */
    size_t unused;
} block_head;

typedef struct gap {
    size_t size_bytes;
    struct gap *next; /* at a higher address */
} gap;

static gap *lowest = NULL;
static gap *small_blocks = NULL;

size_t cll_arena_wanted_bytes(void)
{
    struct rlimit limit;
    size_t wanted = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    /* Where address space is rationed, the program needs most of it. */
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 4 < wanted) {
        wanted = (size_t)limit.rlim_cur / 4;
    }
    return wanted;
}

unsigned char *cll_arena_map(int sharing, int arenas, size_t *arena_bytes, const char *call)
{
    for (size_t size_bytes = *arena_bytes; size_bytes >= SMALLEST_ARENA_BYTES; size_bytes /= 2) {
        size_bytes = size_bytes / PAGE_BYTES * PAGE_BYTES;
        if (size_bytes > SIZE_MAX / (size_t)arenas) {
            continue;
        }
        void *mapped = mmap(NULL, size_bytes * (size_t)arenas, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped != MAP_FAILED) {
            *arena_bytes = size_bytes;
            return mapped;
        }
    }
    cll_fail("%s: no memory for the messages of %d processors: %s", call, arenas, strerror(errno));
}

void cll_arena_warm(unsigned char *arena, size_t arena_bytes, int processors, int is_own)
{
    volatile unsigned char *bytes = arena;
    size_t count = WARM_BYTES_OF_ALL / (size_t)processors;
    if (count > WARM_BYTES) {
        count = WARM_BYTES;
    }
    if (count > arena_bytes) {
        count = arena_bytes;
    }
    for (size_t at = 0; at < count; at += PAGE_BYTES) {
        if (is_own) {
            bytes[at] = 0;
        } else {
            (void)bytes[at];
        }
    }
}

void cll_arena_start(void *base, size_t size_bytes)
{
    lowest = base;
    lowest->size_bytes = size_bytes / UNIT_BYTES * UNIT_BYTES;
    lowest->next = NULL;
    small_blocks = NULL;
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
        ((block_head *)(void *)found)->size_bytes = size_bytes;
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
    if (count > SIZE_MAX - sizeof(block_head) - UNIT_BYTES) {
        return NULL;
    }
    size_t size_bytes = (sizeof(block_head) + count + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
    block_head *block;
    if (size_bytes <= SMALL_BYTES) {
        if (small_blocks == NULL) {
            cut_small_blocks();
        }
        block = (block_head *)(void *)small_blocks;
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
    gap *block = (gap *)(void *)((block_head *)bytes - 1);
    if (block->size_bytes == SMALL_BYTES) {
        block->next = small_blocks;
        small_blocks = block;
    } else {
        give_block(block);
    }
}
