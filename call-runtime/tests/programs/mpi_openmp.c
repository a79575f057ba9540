/* MPI with teams of OpenMP threads, CALL_CLOCK=counting, argument COUNT: experiments outside and inside of parallel regions. What the
 * threads of a process measure is the process's: its rank, and the P of the communicator. */
#include <call.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"thread", CLL_INTEGER}, {"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment outside = {"outside", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment inside = {"inside", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment part = {"part", NULL, 2, variables, 1, 1, blocks};
static const cll_experiment *const experiments[] = {&outside, &inside, &part};
static const cll_unit unit = {"mpi_openmp", "mpi_openmp.c", CLL_MPI, 3, experiments};

CLL_REGISTER(unit);

/* As `call` has it done: the communicator stands before each begin. */
static void measure_inside(MPI_Comm communicator, long k)
{
    long thread = omp_get_thread_num();
    cll_use(&unit, &communicator);
    cll_begin(&inside, (const cll_value[]){{.integer = thread}, {.integer = k}});
    cll_clock_advance((unsigned long long)(1000 * k + thread));
    cll_end(&inside);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1;
    int level, rank;
    MPI_Comm half;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);

    /* Threads that have used nothing follow the main one. */
    cll_use(&unit, &half);
#pragma omp parallel
    {
        cll_begin(&part, (const cll_value[]){{.integer = omp_get_thread_num()}, {.integer = -1}});
        cll_end_with(&part, (const cll_value[]){{.integer = 7}});
    }
    cll_sync(&unit, NULL);
    cll_begin(&outside, NULL);
#pragma omp parallel
    {
        for (long k = 0; k < count; k++) {
            measure_inside(MPI_COMM_WORLD, k);
        }
    }
    cll_end(&outside);
    cll_report(&unit, NULL, "part outside");
#pragma omp parallel for schedule(static)
    for (int number = 0; number < omp_get_max_threads(); number++) {
        measure_inside(half, count);
    }
    cll_report(&unit, NULL, NULL);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
