/* BSPlib with measurements before bsp_begin and inside, on any number of processors; one report inside. */
#include <bsp.h>
#include <call.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_experiment before = {"before", 0, 0, 0, 0, 0, 0};
static const cll_experiment inside = {"inside", 0, 0, 0, 0, 0, 0};
static const cll_experiment *const experiments[] = {&before, &inside};
static const cll_unit unit = {"bsplib_rows", "bsplib_rows.c", CLL_BSPLIB, 2, experiments};

CLL_REGISTER(unit);

int main(void)
{
    cll_begin(&before, 0);
    cll_clock_advance(5);
    cll_end(&before);
    bsp_begin(bsp_nprocs());
    int value = bsp_pid(), copy = -1;
    bsp_push_reg(&value, sizeof value);
    cll_sync(&unit, 0);
    bsp_sync();
    cll_begin(&inside, 0);
    bsp_get((bsp_pid() + 1) % bsp_nprocs(), &value, 0, &copy, sizeof copy);
    cll_sync(&unit, 0); /* apart from the superstep */
    bsp_sync();
    cll_clock_advance(1000 + (unsigned long long)value);
    cll_end(&inside);
    cll_report(&unit, 0, 0);
    int is_right = copy == (value + 1) % bsp_nprocs();
    bsp_end();
    return is_right ? 0 : 1;
}
