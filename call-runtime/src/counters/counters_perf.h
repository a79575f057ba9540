/* counters_perf.h: the perf events of Linux, of one thread. */
#ifndef CLL_COUNTERS_PERF_H
#define CLL_COUNTERS_PERF_H

#include <stddef.h>
#include <stdint.h>

/* Different counters in one program; a further one is missing. */
enum { CLL_MOST_COUNTERS = 32 };

typedef enum {
    CLL_PERF_SOFTWARE,
    CLL_PERF_KERNEL, /* software that never happens while the program itself runs */
    CLL_PERF_CLOCK,  /* software that stands still in a group, unless it leads it */
    CLL_PERF_HARDWARE
} cll_perf_kind;

typedef struct {
    const char *name; /* as the kernel's tools write it */
    cll_perf_kind kind;
    int number; /* of the kernel, in its type */
} cll_perf_event;

/* Events that are read together. What came since the last reading is added to the totals. */
typedef struct {
    int count;
    int files[CLL_MOST_COUNTERS]; /* the first one leads */
    int slots[CLL_MOST_COUNTERS]; /* where they stand among the totals */
    uint64_t values[CLL_MOST_COUNTERS];
    uint64_t enabled_ns;
    uint64_t running_ns;
} cll_perf_group;

/* The event that the name stands for: `page-faults`, `perf::PERF_COUNT_SW_PAGE_FAULTS`, `PAPI_TOT_CYC`; NULL if there is none. */
const cll_perf_event *cll_perf_find(const char *name);

/* Counts the event from now on. Returns NULL or the reason why not. */
const char *cll_perf_add(cll_perf_group *group, const cll_perf_event *event, int slot);

/* Returns 0, 1 if some values are projected, or -1 if the events cannot be read any more. */
int cll_perf_read(cll_perf_group *group, uint64_t *totals);

void cll_perf_close(cll_perf_group *group);

#endif
