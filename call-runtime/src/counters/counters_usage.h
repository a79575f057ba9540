/* counters_usage.h: what the kernel tells every thread about itself, also where perf events are not allowed. */
#ifndef CLL_COUNTERS_USAGE_H
#define CLL_COUNTERS_USAGE_H

#include <stddef.h>
#include <stdint.h>

#include "counters_perf.h"

/* What came since the last reading is added to the totals. */
typedef struct {
    int count;
    int sums[CLL_MOST_COUNTERS];  /* which number of the kernel */
    int slots[CLL_MOST_COUNTERS]; /* where they stand among the totals */
    uint64_t values[CLL_MOST_COUNTERS];
} cll_usage_group;

/* Counts the event of this name from now on. Returns NULL or the reason why not. */
const char *cll_usage_add(cll_usage_group *group, const char *event, int slot);

void cll_usage_read(cll_usage_group *group, uint64_t *totals);

#endif
