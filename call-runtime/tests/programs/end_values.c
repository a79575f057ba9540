/* CALL_CLOCK=counting: values taken at the end stand in the rows as they were at the end. With the argument `plain` an end does not
 * hand over the values it has to: status 2. */
#include <call.h>
#include <stddef.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable some_variables[] = {{"N", CLL_INTEGER}, {"steps", CLL_NATURAL}, {"error", CLL_REAL}};
static const cll_variable all_variables[] = {{"steps", CLL_NATURAL}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment some = {"some", "some[0]*N*steps", 3, some_variables, 2, 1, blocks};
static const cll_experiment all = {"all", NULL, 1, all_variables, 1, 1, blocks};
static const cll_experiment none = {"none", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&some, &all, &none};
static const cll_unit unit = {"end_values", "end_values.c", CLL_SEQUENTIAL, 3, experiments};

CLL_REGISTER(unit);

static void descend(int N)
{
    unsigned steps = 0;
    cll_value values[3];
    values[0].integer = N; /* the others are not there yet */
    cll_begin(&some, values);
    for (; steps < (unsigned)N; steps++) {
        cll_begin(&all, NULL);
        cll_clock_advance(10);
        cll_end_with(&all, (const cll_value[]){{.natural = steps}});
    }
    if (N > 0) {
        descend(N - 1);
    }
    cll_end_with(&some, (const cll_value[]){{.natural = steps}, {.real = 0.5 / (N + 1)}});
}

int main(int argc, char **argv)
{
    (void)argv;
    descend(2);
    cll_begin(&none, NULL);
    cll_end_with(&none, NULL);
    cll_report(&unit, NULL, NULL);
    if (argc > 1) {
        cll_begin(&all, NULL);
        cll_end(&all);
    }
    return 0;
}
