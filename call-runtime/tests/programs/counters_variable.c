/* Linked with counters.c: a variable that is called like a counter there. */
#include <call.h>
#include <stddef.h>

static const cll_block blocks[] = {{NULL, 20, 29}};
static const cll_variable variables[] = {{"PAPI_FAKE_1", CLL_INTEGER}};
static const cll_experiment g = {"g", NULL, 1, variables, 0, 1, blocks, 0, NULL, NULL};
static const cll_experiment *const experiments[] = {&g};
static const cll_unit unit = {"counters_variable", "counters_variable.c", CLL_SEQUENTIAL, 1, experiments};

CLL_REGISTER(unit);
