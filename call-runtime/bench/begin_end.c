/* begin_end.c: what cll_begin and cll_end cost with each clock, beside the least that any recorder has to do, two readings of the same
 * clock and a store of 32 bytes into memory that has been touched; beside OTF2 and LTTng-UST where they are there. scripts/bench.sh
 * compiles it with what it finds:
 *
 *     cc -O2 -I../include begin_end.c begin_end_call.c ../call-runtime.c -lm -pthread -ldl -o begin_end && ./begin_end DIRECTORY
 *
 * The contestants take turns in a random order, so a change of the processor's speed meets all of them. Prints nanoseconds a pair,
 * 10th percentile, median and 90th percentile over all rounds, and the ratios of the first two to those of the bare pair of the same clock;
 * on a busy machine the first of them says more.
 * A short round fits into memory that is ready, mostly. A long round pays for all that the recorder does now and then: it saves the
 * measurements to disk, or with CALL_SAVE=never takes new memory for them.
 *
 * To meet, as ratios: 1.2 in short rounds; 1.6 with new memory. DIRECTORY is empty and takes what OTF2 writes;
 * there may be begin_end.so, the contestants of CALL in a shared object.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../src/base/clock.h"
#include "contestant.h"
#include "measure.h"

enum { SHORT_ROUNDS = 401, SHORT_PAIRS = 500, LONG_ROUNDS = 11, LONG_PAIRS = 60000, MOST = 32 };

typedef struct {
    const void *experiment;
    uint64_t elapsed_ticks;
    uint64_t start_ticks;
    uint64_t processors;
} bare_record;

static bare_record bare_records[LONG_PAIRS];

static inline void store_pair(int pair, uint64_t start_ticks, uint64_t end_ticks)
{
    bare_records[pair].experiment = &bare_records;
    bare_records[pair].elapsed_ticks = end_ticks - start_ticks;
    bare_records[pair].start_ticks = start_ticks;
    bare_records[pair].processors = 1;
    __asm__ __volatile__("" ::: "memory");
}

static void bare_pairs(int pairs, clock_kind clock)
{
#ifdef CLL_WITH_TSC
    for (int pair = 0; pair < pairs && clock == TSC; pair++) {
        uint64_t start_ticks = cll_tsc_begin();
        store_pair(pair, start_ticks, cll_tsc_end());
    }
#endif
    for (int pair = 0; pair < pairs && clock == MONOTONIC; pair++) {
        uint64_t start_ns = cll_clock_wall_ns();
        store_pair(pair, start_ns, cll_clock_wall_ns());
    }
}

/* The first of each clock is the measure of the others. */
static const contestant bare[] = {{"two clock readings and a store", bare_pairs, 0}, {NULL, NULL, 0}};

typedef struct {
    const contestant *its;
    clock_kind clock;
} entry;

static entry entries[MOST];
static size_t entry_count = 0;

static void enter(const contestant *all, clock_kind clock)
{
    for (const contestant *next = all; next->name != NULL && entry_count < MOST; next++) {
        if (clock == MONOTONIC || !next->has_own_clock) {
            entries[entry_count].its = next;
            entries[entry_count++].clock = clock;
        }
    }
}

static void enter_all(const char *directory)
{
    const char *const clocks[CLOCKS] = {"CLOCK_MONOTONIC", "TSC"};
    char path[4096];
    snprintf(path, sizeof path, "%s/begin_end.so", directory);
    /* Its own copy of the runtime, not that of the program. */
    void *shared_object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const contestant *shared = shared_object == NULL ? NULL : dlsym(shared_object, "call_contestants");
#ifdef WITH_OTF2
    snprintf(path, sizeof path, "%s/otf2", directory);
    int has_otf2 = otf2_open(path);
#endif
    for (clock_kind clock = MONOTONIC; clock < CLOCKS; clock++) {
#ifdef CLL_WITH_TSC
        const char *refusal = clock == TSC ? cll_tsc_refusal() : NULL;
#else
        const char *refusal = clock == TSC ? "the runtime was compiled without it" : NULL;
#endif
        if (refusal != NULL) {
            printf("%s takes no part: %s\n", clocks[clock], refusal);
            continue;
        }
        enter(bare, clock);
        enter(call_contestants, clock);
        if (shared != NULL) {
            enter(shared, clock);
        }
#ifdef WITH_OTF2
        if (has_otf2) {
            enter(otf2_contestants, clock);
        }
#endif
#ifdef WITH_LTTNG
        if (lttng_is_recording()) {
            enter(lttng_contestants, clock);
        } else if (clock == MONOTONIC) {
            printf("LTTng-UST takes no part: no session records its events\n");
        }
#endif
    }
}

static void compete(const char *title, int rounds, int pairs)
{
    static double pair_ns[MOST][SHORT_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        size_t order[MOST];
        shuffle(order, entry_count);
        for (size_t at = 0; at < entry_count; at++) {
            const entry *next = &entries[order[at]];
            double start_us = now_us();
            next->its->run(pairs, next->clock);
            pair_ns[order[at]][round] = (now_us() - start_us) * 1000 / pairs;
        }
    }
    printf("%-15s  %-44s %7s %7s %7s  %6s %6s\n", title, "", "10 %", "median", "90 %", "10 %", "median");
    double bare_low_ns = 1, bare_median_ns = 1;
    for (size_t number = 0; number < entry_count; number++) {
        const entry *its = &entries[number];
        size_t count = (size_t)rounds;
        sort(pair_ns[number], count);
        double low_ns = percentile(pair_ns[number], count, 10);
        double median_ns = percentile(pair_ns[number], count, 50);
        if (its->its == bare) {
            bare_low_ns = low_ns;
            bare_median_ns = median_ns;
        }
        printf("%-15s  %-44s %7.1f %7.1f %7.1f  %6.2f %6.2f\n", its->clock == TSC ? "TSC" : "CLOCK_MONOTONIC", its->its->name, low_ns,
               median_ns, percentile(pair_ns[number], count, 90), low_ns / bare_low_ns, median_ns / bare_median_ns);
    }
}

int main(int argc, char **argv)
{
    memset(bare_records, 1, sizeof bare_records);
    srand(1);
    enter_all(argc > 1 ? argv[1] : ".");
    compete("short rounds", SHORT_ROUNDS, SHORT_PAIRS);
    compete("long rounds", LONG_ROUNDS, LONG_PAIRS);
#ifdef WITH_OTF2
    otf2_close();
#endif
    fflush(stdout);
    _exit(0); /* nobody wants a report */
}
