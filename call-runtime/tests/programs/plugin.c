/* The shared object `plugin.so` of closed.c: measures twice. */
#include <call.h>
#include <stddef.h>

static const cll_variable variables[] = {{"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment step = {"plugged", "plugged[0]", 1, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&step};
static const cll_unit unit = {"plugin", "plugin.c", CLL_UNSAID, 1, experiments};

CLL_REGISTER(unit);

void measure(void);

void measure(void)
{
    for (long k = 1; k <= 2; k++) {
        cll_begin(&step, (const cll_value[]){{.integer = k}});
        cll_end(&step);
    }
}
