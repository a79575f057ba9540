/* CALL_CLOCK=counting, argument COUNT: measurement k of k ns with N = k, one after another, over many chunks; none of them is late. */
#include <call.h>
#include <stddef.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"N", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment f = {"f", NULL, 1, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&f};
static const cll_unit unit = {"many", "many.c", CLL_SEQUENTIAL, 1, experiments};

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1;
    for (long k = 0; k < count; k++) {
        cll_begin(&f, (const cll_value[]){{.integer = k}});
        cll_clock_advance((unsigned long long)k);
        cll_end(&f);
    }
    cll_report(&unit, NULL, NULL);
    return 0;
}
