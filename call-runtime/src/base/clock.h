/* clock.h: where the times come from. The reading functions stand here so that begin and end can have them inline. */
#ifndef CLL_CLOCK_H
#define CLL_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "clock_tsc.h"
#include "thread.h"

typedef enum {
    CLL_CLOCK_SYSTEM, /* CLOCK_MONOTONIC, or MPI_Wtime where time is simulated */
    CLL_CLOCK_TSC,
    CLL_CLOCK_COUNTING
} cll_clock_source;

/* Chooses the clock as the environment variable CALL_CLOCK says, or else the cheapest that is to be trusted; called before the first
 * reading, and only the first call does it. Says so and ends the program if the choice is impossible. Looks at CALL_SUBTRACT, too. */
void cll_clock_start(void);

/* CALL_SUBTRACT=empty_pair: what an empty begin/end pair records is to be taken off each time. */
extern int cll_clock_empty_pair_is_subtracted;

/* What an empty pair records, once that has been measured. */
void cll_clock_set_empty_pair(uint64_t ticks);
uint64_t cll_clock_empty_pair_ns(void);

/* What is taken off each time: that if it is asked for, else nothing. */
uint64_t cll_clock_subtracted_ticks(void);
uint64_t cll_clock_subtracted_ns(void);

/* Name and smallest step, for the header of the trace. */
const char *cll_clock_name(void);

/* Whether it shows the time of this computer, neither a simulated nor a planted one. */
int cll_clock_is_real(void);
double cll_clock_resolution_ns(void);

/* In Hz: of a clock whose ticks had to be compared with another one, and how far off it may be at most; else 0. */
double cll_clock_frequency(void);
double cll_clock_frequency_uncertainty(void);

/* Readings are in ticks of the clock. A report calls the first function before it converts what lies between two of them; `may_wait`: for
 * an exact comparison. Used by one thread at a time. */
void cll_clock_calibrate(int may_wait);
uint64_t cll_clock_nanoseconds(uint64_t ticks);
double cll_clock_nanoseconds_per_tick(void);

/* Not exact, and without a calibration. */
uint64_t cll_clock_ticks(uint64_t nanoseconds);

/* With CALL_CLOCK=counting time stands still except for what the program itself adds here, so tests can plant exact costs.
 * Each thread has such a clock of its own. */
void cll_clock_advance(unsigned long long nanoseconds);

/* The same for what each reading of it takes, in all threads; to be called before there are others. */
void cll_clock_set_reading(unsigned long long nanoseconds);

/* How long the next barrier waits for others by that clock. */
void cll_clock_set_waiting(unsigned long long nanoseconds);

/* What was set and has not passed yet. */
uint64_t cll_clock_take_waiting(void);

extern cll_clock_source cll_clock_in_use;
extern uint64_t cll_clock_reading_ns;
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

static inline uint64_t cll_clock_read_others(void)
{
    if (cll_clock_in_use == CLL_CLOCK_COUNTING) {
        uint64_t now_ns = cll_clock_count_ns;
        cll_clock_count_ns = now_ns + cll_clock_reading_ns;
        return now_ns;
    }
    return cll_clock_wall_ns();
}

/* Before and after what is measured; two functions, as they order the instructions around them differently. */
static inline uint64_t cll_clock_begin(void)
{
#ifdef CLL_WITH_TSC
    if (cll_clock_in_use == CLL_CLOCK_TSC) {
        return cll_tsc_begin();
    }
#endif
    return cll_clock_read_others();
}

static inline uint64_t cll_clock_end(void)
{
#ifdef CLL_WITH_TSC
    if (cll_clock_in_use == CLL_CLOCK_TSC) {
        return cll_tsc_end();
    }
#endif
    return cll_clock_read_others();
}

#endif
