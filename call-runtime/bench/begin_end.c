/* begin_end.c: what cll_begin and cll_end cost with each clock, beside the least that any recorder has to do: two readings of the same
 * clock and a store of 32 bytes into memory that has been touched.
 *
 *     cc -O2 -I../include begin_end.c ../call-runtime.c -lm -pthread -o begin_end && ./begin_end
 *
 * Prints the median over all rounds of the nanoseconds of a pair and its ratio to the bare pair of its clock. The variants of both
 * clocks take turns in a random order, so a change of the processor's speed meets all of them. The clock is changed by hand, which no
 * program does: the times that are recorded here mean nothing.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <call.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/clock.h"

#define ROUNDS 201
#define PAIRS 4000

typedef struct {
    const void *experiment;
    uint64_t elapsed_ticks;
    uint64_t start_ticks;
    uint64_t processors;
} bare_record;

static const cll_variable variables[] = {{"N", CLL_INTEGER}, {"M", CLL_INTEGER}, {"x", CLL_REAL}};
static const cll_block blocks[] = {{NULL, 1, 2}};
static const cll_experiment without = {"without", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment with_one = {"with_one", NULL, 1, variables, 0, 1, blocks};
static const cll_experiment with_three = {"with_three", NULL, 3, variables, 0, 1, blocks};
static const cll_experiment at_the_end = {"at_the_end", NULL, 1, variables, 1, 1, blocks};

static bare_record bare_records[PAIRS];

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void store_pair(int pair, uint64_t start_ticks, uint64_t end_ticks)
{
    bare_records[pair].experiment = &without;
    bare_records[pair].elapsed_ticks = end_ticks - start_ticks;
    bare_records[pair].start_ticks = start_ticks;
    bare_records[pair].processors = 1;
    __asm__ __volatile__("" ::: "memory");
}

static void bare_pairs_monotonic(void)
{
    for (int pair = 0; pair < PAIRS; pair++) {
        uint64_t start_ns = now_ns();
        store_pair(pair, start_ns, now_ns());
    }
}

#ifdef CLL_WITH_TSC
static void bare_pairs_tsc(void)
{
    for (int pair = 0; pair < PAIRS; pair++) {
        uint64_t start_ticks = cll_tsc_begin();
        store_pair(pair, start_ticks, cll_tsc_end());
    }
}
#endif

static void pairs_without(void)
{
    for (int pair = 0; pair < PAIRS; pair++) {
        cll_begin(&without, NULL);
        cll_end(&without);
    }
}

static void pairs_with_one(void)
{
    for (int pair = 0; pair < PAIRS; pair++) {
        cll_begin(&with_one, (const cll_value[]){{.integer = pair}});
        cll_end(&with_one);
    }
}

static void pairs_with_three(void)
{
    for (int pair = 0; pair < PAIRS; pair++) {
        cll_begin(&with_three, (const cll_value[]){{.integer = pair}, {.integer = 2 * pair}, {.real = 0.5 * pair}});
        cll_end(&with_three);
    }
}

static void pairs_at_the_end(void)
{
    for (int pair = 0; pair < PAIRS; pair++) {
        cll_begin(&at_the_end, NULL);
        cll_end_with(&at_the_end, (const cll_value[]){{.integer = pair}});
    }
}

typedef struct {
    const char *name;
    void (*run)(void);
    cll_clock_source clock;
} variant;

static const variant variants[] = {
    {"two clock readings and a store", bare_pairs_monotonic, CLL_CLOCK_SYSTEM},
    {"begin/end without variables", pairs_without, CLL_CLOCK_SYSTEM},
    {"begin/end with 1 variable", pairs_with_one, CLL_CLOCK_SYSTEM},
    {"begin/end with 3 variables", pairs_with_three, CLL_CLOCK_SYSTEM},
    {"begin/end with 1 at the end", pairs_at_the_end, CLL_CLOCK_SYSTEM},
#ifdef CLL_WITH_TSC
    {"two clock readings and a store", bare_pairs_tsc, CLL_CLOCK_TSC},
    {"begin/end without variables", pairs_without, CLL_CLOCK_TSC},
    {"begin/end with 1 variable", pairs_with_one, CLL_CLOCK_TSC},
    {"begin/end with 3 variables", pairs_with_three, CLL_CLOCK_TSC},
    {"begin/end with 1 at the end", pairs_at_the_end, CLL_CLOCK_TSC},
#endif
};

#define VARIANTS (sizeof variants / sizeof *variants)
#define VARIANTS_OF_A_CLOCK ((size_t)5)

/* The first of its clock's, a bare pair. */
static size_t bare_of(size_t number)
{
    return number / VARIANTS_OF_A_CLOCK * VARIANTS_OF_A_CLOCK;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static int can_be_used(size_t number)
{
#ifdef CLL_WITH_TSC
    return variants[number].clock != CLL_CLOCK_TSC || cll_tsc_refusal() == NULL;
#else
    return variants[number].clock == CLL_CLOCK_SYSTEM;
#endif
}

int main(void)
{
    static double pair_ns[VARIANTS][ROUNDS];
    size_t count = 0;
    while (count < VARIANTS && can_be_used(count)) {
        count++;
    }
    memset(bare_records, 0, sizeof bare_records);
    srand(1);
    pairs_without(); /* from here on the clock is not chosen any more */
    for (int round = 0; round < ROUNDS; round++) {
        size_t order[VARIANTS];
        for (size_t at = 0; at < count; at++) {
            size_t other = (size_t)rand() % (at + 1);
            order[at] = order[other];
            order[other] = at;
        }
        for (size_t at = 0; at < count; at++) {
            const variant *next = &variants[order[at]];
            cll_clock_in_use = next->clock;
            uint64_t start_ns = now_ns();
            next->run();
            pair_ns[order[at]][round] = (double)(now_ns() - start_ns) / PAIRS;
        }
    }
    for (size_t number = 0; number < count; number++) {
        qsort(pair_ns[number], ROUNDS, sizeof **pair_ns, ascending);
    }
    for (size_t number = 0; number < count; number++) {
        cll_clock_in_use = variants[number].clock;
        printf("%-15s  %-32s %6.1f ns  %.2f\n", cll_clock_name(), variants[number].name, pair_ns[number][ROUNDS / 2],
               pair_ns[number][ROUNDS / 2] / pair_ns[bare_of(number)][ROUNDS / 2]);
    }
    return 0;
}
