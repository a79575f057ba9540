/* The extreme values of each representation, one row each; read back they are the same. */
#include <call.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>

static const cll_variable integer_variable[] = {{"i", CLL_INTEGER}};
static const cll_variable natural_variable[] = {{"n", CLL_NATURAL}};
static const cll_variable real_variable[] = {{"r", CLL_REAL}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment integers = {"integers", NULL, 1, integer_variable, 0, 1, blocks};
static const cll_experiment naturals = {"naturals", NULL, 1, natural_variable, 0, 1, blocks};
static const cll_experiment reals = {"reals", NULL, 1, real_variable, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&integers, &naturals, &reals};
static const cll_unit unit = {"values", "values.c", CLL_SEQUENTIAL, 3, experiments};

int main(void)
{
    static const long long some_integers[] = {LLONG_MIN, -1, 0, 1, LLONG_MAX};
    static const unsigned long long some_naturals[] = {0, 1, ULLONG_MAX};
    static const double some_reals[] = {0.1,     1.0 / 3, 1e15,      1e15 + 0.5, 123456789.25, -2.5,   -0.0,     0.0,      1e300,
                                        DBL_MAX, DBL_MIN, 4.9e-324, 5e-310,     999999999999999, 1e14, NAN, INFINITY, -INFINITY};
    setlocale(LC_ALL, ""); /* a decimal comma must not reach the trace */
    for (size_t at = 0; at < sizeof some_integers / sizeof *some_integers; at++) {
        cll_begin(&integers, (const cll_value[]){{.integer = some_integers[at]}});
        cll_end(&integers);
    }
    for (size_t at = 0; at < sizeof some_naturals / sizeof *some_naturals; at++) {
        cll_begin(&naturals, (const cll_value[]){{.natural = some_naturals[at]}});
        cll_end(&naturals);
    }
    for (size_t at = 0; at < sizeof some_reals / sizeof *some_reals; at++) {
        cll_begin(&reals, (const cll_value[]){{.real = some_reals[at]}});
        cll_end(&reals);
    }
    cll_report(&unit, NULL, NULL);
    return 0;
}
