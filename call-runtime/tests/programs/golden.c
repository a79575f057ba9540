/* CALL_CLOCK=counting: the trace is golden.dat but for the lines about the host; run again, it gets the next number. */
#include <call.h>
#include <stddef.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable outer_variables[] = {{"N", CLL_INTEGER}, {"x", CLL_REAL}};
static const cll_variable inner_variables[] = {{"x", CLL_REAL}, {"count", CLL_NATURAL}, {"P", CLL_INTEGER}};
static const cll_block outer_blocks[] = {{NULL, 10, 20}, {NULL, 30, 41}};
static const cll_block inner_blocks[] = {{NULL, 12, 14}};
static const cll_experiment outer = {"outer", "outer[0] + outer[1]*N*x", 2, outer_variables, 0, 2, outer_blocks};
static const cll_experiment inner = {"inner", NULL, 3, inner_variables, 0, 1, inner_blocks};
static const cll_experiment empty = {"empty", "empty[0]", 0, NULL, 0, 1, inner_blocks};
static const cll_experiment *const experiments[] = {&outer, &inner, &empty};
static const cll_unit unit = {"golden", "dir\\golden\n.c", CLL_SEQUENTIAL, 3, experiments};

int main(void)
{
    for (long long N = 1; N <= 1000; N *= 10) {
        cll_sync(&unit, NULL);
        cll_begin(&outer, (const cll_value[]){{.integer = -N}, {.real = 1.0 / (double)N}});
        cll_clock_advance(1000000000ull * (unsigned long long)N);
        cll_begin(&inner, (const cll_value[]){{.real = 0.5}, {.natural = 7}, {.integer = 64}});
        cll_clock_advance(5);
        cll_end(&inner);
        cll_clock_advance(123456789);
        cll_end(&outer);
    }
    cll_begin(&empty, NULL);
    cll_end(&empty);
    cll_report(&unit, NULL, NULL);
    return 0;
}
