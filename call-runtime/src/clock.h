/* clock.h: where the nanoseconds come from. The reading function stands here so that begin and end can have it inline. */
#ifndef CLL_CLOCK_H
#define CLL_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "thread.h"

#define CLL_NANOSECONDS_PER_SECOND 1000000000u

/* Chooses the clock as the environment variable CALL_CLOCK says; called once before the first reading. */
void cll_clock_start(void);

/* Name and smallest step, for the header of the trace. */
const char *cll_clock_name(void);
uint64_t cll_clock_resolution_ns(void);

/* With CALL_CLOCK=counting time stands still except for what the program itself adds here, so tests can plant exact costs.
 * Each thread has such a clock of its own. */
void cll_clock_advance(unsigned long long nanoseconds);

extern int cll_clock_counts;
extern CLL_PER_THREAD uint64_t cll_clock_count_ns;

/* The time that passes, whatever CALL_CLOCK says. */
static inline uint64_t cll_clock_wall_ns(void)
{
#ifdef CLL_SMPI /* only MPI_Wtime knows the simulated time */
    return (uint64_t)(MPI_Wtime() * CLL_NANOSECONDS_PER_SECOND + 0.5);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * CLL_NANOSECONDS_PER_SECOND + (uint64_t)now.tv_nsec;
#endif
}

static inline uint64_t cll_clock_now_ns(void)
{
    return cll_clock_counts ? cll_clock_count_ns : cll_clock_wall_ns();
}

#endif
