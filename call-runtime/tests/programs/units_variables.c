/* A third file of units.c, with another variables than units_other.c. */
#include <call.h>
#include <stddef.h>

static const cll_variable variables[] = {{"N", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 20, 29}};
static const cll_experiment both = {"both", NULL, 1, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&both};
static const cll_unit unit = {"units_variables", "units_variables.c", CLL_UNSAID, 1, experiments};

CLL_REGISTER(unit);
