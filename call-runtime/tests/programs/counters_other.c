/* Linked with counters.c: the experiment of the same name has another counter. */
#include <call.h>
#include <stddef.h>

static const cll_block blocks[] = {{NULL, 20, 29}};
static const char *const counters[] = {"cycles"};
static const cll_experiment around = {"around", NULL, 0, NULL, 0, 1, blocks, 1, counters, NULL};
static const cll_experiment *const experiments[] = {&around};
static const cll_unit unit = {"counters_other", "counters_other.c", CLL_SEQUENTIAL, 1, experiments};

CLL_REGISTER(unit);
