/* The headers compile as C99, C11, C17 and C++17, included twice, with and without CLL_DISABLE; two sites stand in one scope. */
#include <call.h>
#include <pub.h>

#include <call.h>
#include <pub.h>

static const cll_variable variables[] = {{"N", CLL_INTEGER}};
static const cll_block blocks[] = {{0, 3, 9}, {0, 12, 15}};
static const cll_experiment f = {"f", "f[0]", 1, variables, 0, 2, blocks};
static const cll_experiment *const experiments[] = {&f};
static const cll_unit unit = {"header", "header.c", CLL_PUB, 1, experiments};

CLL_REGISTER(unit);

int main(int argc, char **argv)
{
    t_bsp bsp;
    cll_value value;
    int unused_when_disabled = unit.experiment_count;
    value.integer = unused_when_disabled;
    (void)value;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    cll_sync(&unit, &bsp);
    cll_begin(&f, &value);
    cll_end(&f);
    cll_begin(&f, &value);
    cll_end(&f);
    cll_report(&unit, &bsp, (const char *)0);
    bsplib_done();
    return 0;
}
