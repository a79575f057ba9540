/* arena.h: memory management in this processor's part of the shared memory. Only the owner takes and gives blocks. */
#ifndef CLL_BSP_ARENA_H
#define CLL_BSP_ARENA_H

#include <stddef.h>

/* `base` is aligned to 64. */
void cll_arena_start(void *base, size_t size_bytes);

/* Aligned to 16; NULL if no gap is large enough. */
void *cll_arena_take(size_t count);
void cll_arena_give(void *bytes);

#endif
