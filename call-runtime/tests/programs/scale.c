/* CALL_CLOCK=counting, argument SAMPLES: each process of MPI measures `f` so many times; sample k takes k ns. */
#include <call.h>
#include <mpi.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 1, 2}};
static const cll_experiment f = {"f", NULL, 1, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&f};
static const cll_unit unit = {"scale", "scale.c", CLL_MPI, 1, experiments};
CLL_REGISTER(unit);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long samples = argc > 1 ? atol(argv[1]) : 0;
    for (long k = 0; k < samples; k++) {
        cll_begin(&f, (const cll_value[]){{.integer = k}});
        cll_clock_advance((unsigned long long)k);
        cll_end(&f);
    }
    cll_report(&unit, NULL, NULL);
    MPI_Finalize();
    return 0;
}
