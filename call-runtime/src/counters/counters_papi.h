/* counters_papi.h: events of PAPI, whose library is looked for when the program runs. */
#ifndef CLL_COUNTERS_PAPI_H
#define CLL_COUNTERS_PAPI_H

#include <stddef.h>
#include <stdint.h>

#include "counters_perf.h"

/* The events of one thread. What came since the last reading is added to the totals. */
typedef struct {
    int number; /* of the library's event set */
    int is_registered; /* the library knows the thread, else it may not ask anything */
    int is_made;
    int is_running;
    int count;
    int slots[CLL_MOST_COUNTERS]; /* where they stand among the totals */
    long long values[CLL_MOST_COUNTERS];
} cll_papi_set;

/* Adds the event to a set that does not count yet. Returns NULL or the reason why not. */
const char *cll_papi_add(cll_papi_set *set, const char *name, int slot);

/* Counts from now on. Returns NULL or the reason why not. */
const char *cll_papi_start(cll_papi_set *set);

/* Returns 0, or -1 if the events cannot be read any more. */
int cll_papi_read(cll_papi_set *set, uint64_t *totals);

/* The events stay in the set. */
void cll_papi_stop(cll_papi_set *set);

void cll_papi_close(cll_papi_set *set);

#endif
