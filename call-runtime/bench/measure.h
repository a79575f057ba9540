/* measure.h: the clock, the order and the percentiles of all benchmarks. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdlib.h>
#include <time.h>

static inline double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static inline int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static inline void sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
}

/* Of sorted values. */
static inline double percentile(const double *values, size_t count, size_t percent)
{
    return values[(count - 1) * percent / 100];
}

/* The numbers from 0 on in a random order. */
static inline void shuffle(size_t *order, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        size_t other = (size_t)rand() % (at + 1);
        order[at] = order[other];
        order[other] = at;
    }
}

#endif
