/* An MPI program with counters; the processors beside the first have nothing to tell. */
#include <call.h>
#include <mpi.h>
#include <stddef.h>

static const cll_block blocks[] = {{NULL, 3, 9}};
static const char *const counters[] = {"PAPI_NONE_SUCH", "page-faults"};
static const cll_experiment f = {"f", NULL, 0, NULL, 0, 1, blocks, 2, counters, NULL};
static const cll_experiment *const experiments[] = {&f};
static const cll_unit unit = {"counters_mpi", "counters_mpi.c", CLL_MPI, 1, experiments};

CLL_REGISTER(unit);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    cll_use(&unit, NULL);
    cll_begin(&f, NULL);
    cll_end(&f);
    cll_report(&unit, NULL, NULL);
    cll_report(&unit, NULL, NULL);
    MPI_Finalize();
    return 0;
}
