/* MPI, 2 processes, argument CASE: one wrong use; the run ends with status 2 and a message (cases in mpi.rs). */
#include <call.h>
#include <mpi.h>
#include <stdio.h>
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

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm none = MPI_COMM_NULL, self, between;
    if (is(argc, argv, "use-before-init")) {
        cll_use(&unit, NULL);
    } else if (is(argc, argv, "sync-before-init")) {
        cll_sync(&unit, NULL);
    } else if (is(argc, argv, "report-before-init")) {
        cll_report(&unit, NULL, NULL);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is(argc, argv, "no-communicator")) {
        cll_sync(&unit, &none);
    } else if (is(argc, argv, "between")) {
        MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &self);
        MPI_Intercomm_create(self, 0, MPI_COMM_WORLD, 1 - rank, 1, &between);
        cll_report(&unit, &between, NULL);
    } else if (is(argc, argv, "one-fails")) {
        cll_begin(&f, NULL);
        cll_end(&f);
        if (rank == 1) {
            cll_end(&f);
        }
        cll_sync(&unit, NULL);
    }
    MPI_Finalize();
    if (is(argc, argv, "report-after-finalize")) {
        cll_report(&unit, NULL, NULL);
    } else if (is(argc, argv, "sync-after-finalize")) {
        cll_sync(&unit, NULL);
    }
    printf("mpi_misuse: no such case\n");
    return 9;
}
