/* Reports without having measured. */
#include <call.h>
#include <stddef.h>

static const cll_block blocks[] = {{NULL, 1, 2}};
static const cll_experiment never = {"never", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&never};
static const cll_unit unit = {"only_report", "only_report.c", CLL_SEQUENTIAL, 1, experiments};

int main(void)
{
    cll_report(&unit, NULL, NULL);
    return 0;
}
