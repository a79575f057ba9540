/* A third file of units.c, with another kind than units_other.c. */
#include <call.h>
#include <stddef.h>

static const cll_variable variables[] = {{"N", CLL_INTEGER}, {"x", CLL_REAL}};
static const cll_block blocks[] = {{NULL, 20, 29}};
static const cll_experiment both = {"both", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&both};
static const cll_unit unit = {"units_kind", "units_kind.c", CLL_PUB, 1, experiments};

CLL_REGISTER(unit);
