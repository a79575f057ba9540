/* begin_end.c: what cll_begin and cll_end cost, beside the least that any recorder has to do: two readings of the clock and a store
 * of 32 bytes into memory that has been touched.
 *
 *     cc -O2 -I../include begin_end.c ../call-runtime.c -lm -pthread -o begin_end && ./begin_end
 *
 * Prints the median over all rounds of the nanoseconds of a pair and its ratio to the bare pair. The variants take turns in a random
 * order, so a change of the processor's speed meets all of them.
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

#define ROUNDS 301
#define PAIRS 4000

typedef struct {
    const void *experiment;
    uint64_t elapsed_ns;
    uint64_t start_ns;
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

static void bare_pairs(void)
{
    for (int pair = 0; pair < PAIRS; pair++) {
        uint64_t start_ns = now_ns();
        uint64_t end_ns = now_ns();
        bare_records[pair].experiment = &without;
        bare_records[pair].elapsed_ns = end_ns - start_ns;
        bare_records[pair].start_ns = start_ns;
        bare_records[pair].processors = 1;
        __asm__ __volatile__("" ::: "memory");
    }
}

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

static const struct {
    const char *name;
    void (*run)(void);
} variants[] = {{"two clock readings and a store", bare_pairs},
                {"begin/end without variables", pairs_without},
                {"begin/end with 1 variable", pairs_with_one},
                {"begin/end with 3 variables", pairs_with_three},
                {"begin/end with 1 at the end", pairs_at_the_end}};

#define VARIANTS (sizeof variants / sizeof *variants)

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(void)
{
    static double pair_ns[VARIANTS][ROUNDS];
    memset(bare_records, 0, sizeof bare_records);
    srand(1);
    for (int round = 0; round < ROUNDS; round++) {
        size_t order[VARIANTS];
        for (size_t at = 0; at < VARIANTS; at++) {
            size_t other = (size_t)rand() % (at + 1);
            order[at] = order[other];
            order[other] = at;
        }
        for (size_t at = 0; at < VARIANTS; at++) {
            uint64_t start_ns = now_ns();
            variants[order[at]].run();
            pair_ns[order[at]][round] = (double)(now_ns() - start_ns) / PAIRS;
        }
    }
    for (size_t variant = 0; variant < VARIANTS; variant++) {
        qsort(pair_ns[variant], ROUNDS, sizeof **pair_ns, ascending);
        printf("%-32s %6.1f ns  %.2f\n", variants[variant].name, pair_ns[variant][ROUNDS / 2],
               pair_ns[variant][ROUNDS / 2] / pair_ns[0][ROUNDS / 2]);
    }
    return 0;
}
