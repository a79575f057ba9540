/* begin_end_call.c: the contestants of CALL. The clock is changed by hand, which no program does: the times that are recorded here
 * mean nothing. */
#include <call.h>

#include "../src/base/clock.h"
#include "contestant.h"

static const cll_variable variables[] = {{"N", CLL_INTEGER}, {"M", CLL_INTEGER}, {"x", CLL_REAL}};
static const cll_block blocks[] = {{NULL, 1, 2}};
static const cll_experiment without = {"without", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment with_three = {"with_three", NULL, 3, variables, 0, 1, blocks};
static const cll_experiment at_the_end = {"at_the_end", NULL, 1, variables, 1, 1, blocks};

static const cll_experiment *const experiments[] = {&without, &with_three, &at_the_end};

#ifdef IN_SHARED_OBJECT
#define CALL "CALL in a shared object"
static const cll_unit unit = {"begin_end_shared", "begin_end_call.c", CLL_SEQUENTIAL, 3, experiments};
#else
#define CALL "CALL"
static const cll_unit unit = {"begin_end", "begin_end_call.c", CLL_SEQUENTIAL, 3, experiments};
#endif

/* As in a program, what is measured is saved on the way, in the directory where the benchmark runs, unless CALL_SAVE is `never`. */
CLL_REGISTER(unit);

/* The first begin chooses the clock, unless that has been done. */
static void use_clock(clock_kind clock)
{
    static int is_chosen = 0;
    if (!is_chosen) {
        cll_begin(&without, NULL);
        cll_end(&without);
        is_chosen = 1;
    }
    cll_clock_in_use = clock == TSC ? CLL_CLOCK_TSC : CLL_CLOCK_SYSTEM;
}

static void pairs_without(int pairs, clock_kind clock)
{
    use_clock(clock);
    for (int pair = 0; pair < pairs; pair++) {
        cll_begin(&without, NULL);
        cll_end(&without);
    }
}

static void pairs_with_three(int pairs, clock_kind clock)
{
    use_clock(clock);
    for (int pair = 0; pair < pairs; pair++) {
        cll_begin(&with_three, (const cll_value[]){{.integer = pair}, {.integer = 2 * pair}, {.real = 0.5 * pair}});
        cll_end(&with_three);
    }
}

static void pairs_at_the_end(int pairs, clock_kind clock)
{
    use_clock(clock);
    for (int pair = 0; pair < pairs; pair++) {
        cll_begin(&at_the_end, NULL);
        cll_end_with(&at_the_end, (const cll_value[]){{.integer = pair}});
    }
}

const contestant call_contestants[] = {
    {CALL ", no values", pairs_without, 0},
    {CALL ", 3 values", pairs_with_three, 0},
    {CALL ", 1 value at the end", pairs_at_the_end, 0},
    {NULL, NULL, 0},
};
