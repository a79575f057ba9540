/* MPI, 2 processes, argument CASE: one wrong use, which is told (cases in mpi.rs); around it f is measured and reported as it should be. */
#include <call.h>
#include <mpi.h>
#include <string.h>

static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment f = {"f", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&f};
static const cll_unit unit = {"mpi_misuse", "mpi_misuse.c", CLL_MPI, 1, experiments};

CLL_REGISTER(unit);

static int is(int argc, char **argv, const char *name)
{
    return argc > 1 && strcmp(argv[1], name) == 0;
}

static void measure(void)
{
    cll_begin(&f, NULL);
    cll_end(&f);
}

static void measure_on(const MPI_Comm *communicator, int is_synchronised)
{
    for (int round = 0; round < 2; round++) {
        if (is_synchronised) {
            cll_sync(&unit, communicator);
        } else {
            cll_use(&unit, communicator);
        }
        measure();
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm none = MPI_COMM_NULL, self, between;
    if (is(argc, argv, "use-before-init")) {
        measure_on(NULL, 0);
    } else if (is(argc, argv, "sync-before-init")) {
        measure_on(NULL, 1);
    } else if (is(argc, argv, "report-before-init")) {
        cll_report(&unit, NULL, NULL);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    measure_on(NULL, 0);
    if (is(argc, argv, "no-communicator")) {
        measure_on(&none, 1);
    } else if (is(argc, argv, "not-in-it")) {
        measure_on(&none, 0);
    } else if (is(argc, argv, "between") || is(argc, argv, "report-between")) {
        MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &self);
        MPI_Intercomm_create(self, 0, MPI_COMM_WORLD, 1 - rank, 1, &between);
        if (is(argc, argv, "between")) {
            measure_on(&between, 0);
            measure_on(&between, 1);
        } else {
            cll_report(&unit, &between, NULL);
        }
    } else if (is(argc, argv, "one-fails")) {
        if (rank == 1) {
            cll_end(&f);
        }
        cll_sync(&unit, NULL);
    }
    measure_on(NULL, 1);
    cll_report(&unit, NULL, NULL);
    MPI_Finalize();
    if (is(argc, argv, "report-after-finalize")) {
        cll_report(&unit, NULL, NULL);
    } else if (is(argc, argv, "sync-after-finalize")) {
        measure_on(NULL, 1);
    } else if (is(argc, argv, "use-after-finalize")) {
        measure_on(NULL, 0);
    }
    return 0;
}
