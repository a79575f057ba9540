/* counters_callgrind.h: accesses and misses that valgrind's callgrind simulates, where the program runs under it. */
#ifndef CLL_COUNTERS_CALLGRIND_H
#define CLL_COUNTERS_CALLGRIND_H

#include <stdint.h>

#include "counters_perf.h"

/* What came since the last reading is added to the totals. */
typedef struct {
    int count;
    int events[CLL_MOST_COUNTERS]; /* which of those that have a name */
    int slots[CLL_MOST_COUNTERS];  /* where they stand among the totals */
} cll_callgrind_group;

/* Counts the event of this name from now on: `instructions`, `data-accesses`, `L1-misses` and the misses of the level that callgrind's
 * last one stands for. Returns NULL or the reason why not. */
const char *cll_callgrind_add(cll_callgrind_group *group, const char *name, int slot);

/* Whether the name, which is not counted, is that of a level whose turn is in another run. */
int cll_callgrind_has_other_level(const char *name);

/* Returns 0, or -1 if the events cannot be read any more. */
int cll_callgrind_read(const cll_callgrind_group *group, uint64_t *totals);

/* The simulated caches as `call run --misses` says them; NULL if the program does not run in such a simulation. */
const char *cll_callgrind_caches(void);

#endif
