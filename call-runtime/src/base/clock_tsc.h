/* clock_tsc.h: the time stamp counter of x86-64 as a clock. */
#ifndef CLL_CLOCK_TSC_H
#define CLL_CLOCK_TSC_H

#include <stdint.h>

#include "thread.h"

#define CLL_NANOSECONDS_PER_SECOND 1000000000u

/* With -DCLL_WITHOUT_TSC the runtime does without it, as on other processors. Simulated time knows nothing of it. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(CLL_SMPI) && !defined(CLL_WITHOUT_TSC)
#define CLL_WITH_TSC 1
#endif

#ifdef CLL_WITH_TSC

/* What is measured must not leak out, and what comes before must not leak in. So all instructions before the reading have been
 * executed (the first lfence), and none after it starts before it (the second one). Linux has lfence wait on AMD's processors too. */
static inline uint64_t cll_tsc_begin(void)
{
    uint32_t low, high;
    __asm__ __volatile__("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

/* rdtscp waits for all instructions before it. What comes after may overlap it: that lengthens nothing. As with every other clock, stores
 * count as done in the store buffer. */
static inline uint64_t cll_tsc_end(void)
{
    uint32_t low, high, processor;
    __asm__ __volatile__("rdtscp" : "=a"(low), "=d"(high), "=c"(processor) : : "memory");
    (void)processor;
    return (uint64_t)high << 32 | low;
}

/* Why the counter cannot be a clock here; NULL if it can: it is invariant, the same on all cores, and the kernel trusts it. */
const char *cll_tsc_refusal(void);

/* Compares the counter with CLOCK_MONOTONIC_RAW over the time since the start of the program. In one that has just started this waits,
 * if it may, until the comparison is worth something, at most a tenth of a second. Not to be called by two threads at once. */
void cll_tsc_calibrate(int may_wait);

/* Of ticks between two readings, as the last calibration knows it: increasing, and rounded to the nearest. */
uint64_t cll_tsc_nanoseconds(uint64_t ticks);

/* Roughly. */
uint64_t cll_tsc_ticks(uint64_t nanoseconds);

/* In Hz: what the last calibration found, and how far from it the truth may be at most. */
double cll_tsc_frequency(void);
double cll_tsc_frequency_uncertainty(void);

/* The counter may advance by several ticks at a time. */
uint64_t cll_tsc_step_ticks(void);

#endif
#endif
