/* arena.h: the memory that packets are built in. Only the owner of an arena takes and gives blocks. */
#ifndef CLL_BSP_ARENA_H
#define CLL_BSP_ARENA_H

#include <stddef.h>

/* How much one processor may want to have: all that the computer has; pages that nobody touches cost nothing. */
size_t cll_arena_wanted_bytes(void);

/* Maps so many arenas side by side, or smaller ones if the system gives less. `sharing` is MAP_SHARED or MAP_PRIVATE. */
unsigned char *cll_arena_map(int sharing, int arenas, size_t *arena_bytes, const char *call);

/* Touches the first pages, so that the first messages do not pay for it inside a measurement. */
void cll_arena_warm(unsigned char *arena, size_t arena_bytes, int processors, int is_own);

/* Makes the memory this processor's arena. `base` is aligned to 64. */
void cll_arena_start(void *base, size_t size_bytes);

/* Aligned to 16; NULL if no gap is large enough. */
void *cll_arena_take(size_t count);
void cll_arena_give(void *bytes);

#endif
