/* Linked with units_other.c, CALL_CLOCK=counting: the experiments of both files are in one trace, in that of either; `both` stands in
 * both and in a header. With a third file that contradicts the second: status 2 before main, and the message names the two files. */
#include <call.h>
#include <stdio.h>

void cll_clock_advance(unsigned long long nanoseconds);
void measure_other(void);

static const cll_variable n_variable[] = {{"N", CLL_INTEGER}};
static const cll_variable both_variables[] = {{"N", CLL_INTEGER}, {"x", CLL_REAL}};
static const cll_block here_blocks[] = {{NULL, 10, 12}};
static const cll_block both_blocks[] = {{NULL, 20, 29}, {"my dir/shared:1.h", 5, 9}};
static const cll_experiment here = {"here", "here[0]*N", 1, n_variable, 0, 1, here_blocks};
static const cll_experiment both = {"both", NULL, 2, both_variables, 0, 2, both_blocks};
static const cll_experiment *const experiments[] = {&here, &both};
static const cll_unit unit = {"units", "units.c", CLL_UNSAID, 2, experiments};

CLL_REGISTER(unit);

static void measure(void)
{
    cll_begin(&here, (const cll_value[]){{.integer = 7}});
    cll_clock_advance(1);
    cll_end(&here);
    cll_begin(&both, (const cll_value[]){{.integer = 9007199254740993}, {.real = 0.25}});
    cll_clock_advance(2);
    cll_end(&both);
}

int main(void)
{
    printf("main\n");
    measure();
    measure_other(); /* reports */
    measure();
    cll_report(&unit, NULL, "both");
    cll_report(&unit, NULL, "other here");
    cll_report(&unit, NULL, "neither");
    return 0;
}
