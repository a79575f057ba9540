/* CALL_CLOCK=counting: three reports, of `a c`, of `b` and of everything: what was reported is gone, what was not stays. A fourth,
 * of `x`, which does not exist, ends the run with status 2. */
#include <call.h>
#include <stddef.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable n_variable[] = {{"n", CLL_INTEGER}};
static const cll_variable m_variable[] = {{"m", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment a = {"a", NULL, 1, n_variable, 0, 1, blocks};
static const cll_experiment b = {"b", NULL, 1, m_variable, 0, 1, blocks};
static const cll_experiment c = {"c", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&a, &b, &c};
static const cll_unit unit = {"subset", "subset.c", CLL_SEQUENTIAL, 3, experiments};

static void measure_all(int round)
{
    for (int repetition = 0; repetition < 3; repetition++) {
        cll_begin(&a, (const cll_value[]){{.integer = round}});
        cll_begin(&b, (const cll_value[]){{.integer = round}});
        cll_clock_advance(1);
        cll_end(&b);
        cll_begin(&c, NULL);
        cll_clock_advance(1);
        cll_end(&c);
        cll_end(&a);
    }
}

int main(void)
{
    measure_all(1);
    cll_report(&unit, NULL, " a\tc ");
    measure_all(2);
    cll_report(&unit, NULL, "b");
    cll_report(&unit, NULL, NULL);
    cll_report(&unit, NULL, "x");
    return 0;
}
