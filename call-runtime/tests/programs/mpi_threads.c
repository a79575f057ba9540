/* MPI, CALL_CLOCK=counting, argument COUNT: on each process the main thread and three others measure and synchronise at once, each on
 * communicators of its own, so P differs between them: the size of that which the thread has used last. A thread that uses none takes
 * that of the main thread. Says `threads ok`, or that this MPI has no MPI_THREAD_MULTIPLE. */
#include <call.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"thread", CLL_INTEGER}, {"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment f = {"f", NULL, 2, variables, 0, 1, blocks};
static const cll_experiment heir = {"heir", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&f, &heir};
static const cll_unit unit = {"mpi_threads", "mpi_threads.c", CLL_MPI, 2, experiments};

CLL_REGISTER(unit);

static long count = 1;
static pthread_barrier_t all_have_used;

typedef struct {
    long number;
    MPI_Comm communicators[2]; /* take turns */
} task;

static void *measure(void *argument)
{
    const task *its = argument;
    for (long k = 0; k < count; k++) {
        const MPI_Comm *machine = &its->communicators[k % 2];
        if (k % 7 == 0) {
            cll_sync(&unit, machine);
        } else {
            cll_use(&unit, machine);
        }
        pthread_barrier_wait(&all_have_used);
        cll_begin(&f, (const cll_value[]){{.integer = its->number}, {.integer = k}});
        cll_clock_advance((unsigned long long)(1000 * k + its->number));
        cll_end(&f);
    }
    return NULL;
}

static void *inherit(void *unused)
{
    cll_begin(&heir, NULL);
    cll_end(&heir);
    return unused;
}

/* Duplicates, since two threads must not wait at the same communicator. The numbers of threads: 0 is the main one. */
static void make_tasks(task *tasks, int rank)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm kinds[THREADS] = {MPI_COMM_WORLD, half, MPI_COMM_SELF};
    for (int number = 0; number <= THREADS; number++) {
        tasks[number].number = number;
        MPI_Comm_dup(kinds[number % THREADS], &tasks[number].communicators[0]);
        MPI_Comm_dup(kinds[number == 0 ? 2 : number % THREADS], &tasks[number].communicators[1]);
    }
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    int level, rank;
    task tasks[THREADS + 1];
    pthread_t running[THREADS + 1];
    count = argc > 1 ? atol(argv[1]) : 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (level == MPI_THREAD_MULTIPLE) {
        make_tasks(tasks, rank);
        pthread_barrier_init(&all_have_used, NULL, THREADS + 1);
        for (int number = 1; number <= THREADS; number++) {
            if (pthread_create(&running[number], NULL, measure, &tasks[number]) != 0) {
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
        }
        measure(&tasks[0]);
        for (int number = 1; number <= THREADS; number++) {
            pthread_join(running[number], NULL);
        }
        cll_use(&unit, &tasks[2].communicators[0]);
        if (pthread_create(&running[0], NULL, inherit, NULL) != 0) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        pthread_join(running[0], NULL);
        cll_report(&unit, NULL, NULL);
    }
    if (rank == 0) {
        printf("%s\n", level == MPI_THREAD_MULTIPLE ? "threads ok" : "no MPI_THREAD_MULTIPLE");
    }
    MPI_Finalize();
    return 0;
}
