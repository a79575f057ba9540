/* CALL_CLOCK=counting, argument DEPTH: experiment f measures itself recursively; at level k it takes k + 1 ns in all. One row a level. */
#include <call.h>
#include <stddef.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment f = {"f", NULL, 1, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&f};
static const cll_unit unit = {"recursion", "recursion.c", CLL_SEQUENTIAL, 1, experiments};

static void descend(long k)
{
    cll_begin(&f, (const cll_value[]){{.integer = k}});
    if (k > 0) {
        descend(k - 1);
    }
    cll_clock_advance(1);
    cll_end(&f);
}

int main(int argc, char **argv)
{
    descend(argc > 1 ? atol(argv[1]) : 0);
    cll_report(&unit, NULL, NULL);
    return 0;
}
