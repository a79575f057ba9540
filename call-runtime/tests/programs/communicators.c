/* MPI, at least 2 processes, CALL_CLOCK=counting, argument COUNT: P is the size of the communicator in use, the processor the rank in
 * the one that reports; a message that the program awaits from anyone is not mixed up with the report. Says `communicators ok`. */
#include <call.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"rank", CLL_INTEGER}, {"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment before = {"before", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment whole = {"whole", NULL, 2, variables, 1, 1, blocks};
static const cll_experiment part = {"part", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&before, &whole, &part};
static const cll_unit unit = {"communicators", "communicators.c", CLL_MPI, 3, experiments};

CLL_REGISTER(unit);

static int rank;

static void measure_whole(long count)
{
    for (long k = 0; k < count; k++) {
        cll_begin(&whole, (const cll_value[]){{.integer = rank}, {.integer = -1}});
        cll_clock_advance((unsigned long long)(1000 * k + rank));
        cll_end_with(&whole, (const cll_value[]){{.integer = k}});
    }
}

static void measure_part(MPI_Comm half)
{
    cll_use(&unit, &half);
    cll_begin(&part, (const cll_value[]){{.integer = rank}, {.integer = 0}});
    cll_end(&part);
    cll_report(&unit, &half, "part"); /* one trace for each part */
    cll_sync(&unit, &half);
    cll_begin(&part, (const cll_value[]){{.integer = rank}, {.integer = 1}});
    cll_end(&part);
}

/* Of this computer: MPI_Wtime may begin anew in each process. */
static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check_barrier(void)
{
    double start_s;
    if (rank == 0) {
        usleep(20000);
    }
    start_s = now_s();
    cll_sync(&unit, NULL);
    double end_s = now_s();
    MPI_Bcast(&start_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (end_s < start_s) {
        fprintf(stderr, "communicators: process %d was let through the barrier too soon\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void report_reversed(int processes)
{
    MPI_Comm reversed;
    MPI_Request request;
    int message = 0;
    MPI_Comm_split(MPI_COMM_WORLD, 0, processes - rank, &reversed);
    MPI_Irecv(&message, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, reversed, &request);
    cll_report(&unit, &reversed, NULL);
    int answer = 4711 + rank;
    MPI_Send(&answer, 1, MPI_INT, rank, 5, reversed);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (message != 4711 + processes - 1 - rank) {
        fprintf(stderr, "communicators: process %d got %d\n", rank, message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(&reversed);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1;
    int processes;
    MPI_Comm half;
    for (int repetition = 0; repetition < 3; repetition++) {
        cll_begin(&before, NULL);
        cll_end(&before);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    measure_whole(count);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    measure_part(half);
    MPI_Comm_free(&half);
    check_barrier();
    measure_whole(1);
    report_reversed(processes);
    if (rank == 0) {
        printf("communicators ok\n");
    }
    cll_report(&unit, NULL, NULL);
    MPI_Finalize();
    cll_begin(&before, NULL);
    cll_end(&before);
    return 0;
}
