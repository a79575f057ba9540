/* The second file of units.c. */
#include <call.h>
#include <stddef.h>

void cll_clock_advance(unsigned long long nanoseconds);
void measure_other(void);

static const cll_variable both_variables[] = {{"x", CLL_INTEGER}, {"N", CLL_REAL}};
static const cll_block other_blocks[] = {{"units.c", 3, 4}, {NULL, 10, 12}};
static const cll_block both_blocks[] = {{"my dir/shared:1.h", 5, 9}, {NULL, 20, 29}};
static const cll_experiment both = {"both", "both[0]*N*x", 2, both_variables, 0, 2, both_blocks};
static const cll_experiment other = {"other", NULL, 0, NULL, 0, 2, other_blocks};
static const cll_experiment *const experiments[] = {&both, &other};
static const cll_unit unit = {"units_other", "units_other.c", CLL_SEQUENTIAL, 2, experiments};

CLL_REGISTER(unit);

void measure_other(void)
{
    cll_begin(&both, (const cll_value[]){{.integer = -3}, {.real = 1.5}});
    cll_clock_advance(4);
    cll_begin(&other, NULL);
    cll_clock_advance(8);
    cll_end(&other);
    cll_end(&both);
    cll_report(&unit, NULL, NULL);
}
