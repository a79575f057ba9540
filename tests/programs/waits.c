/* MPI under SMPI, where sleeping takes exactly so long: waiting that is known by formulas. Arguments: which program; of what
 * `imbalance` does first so many microseconds; by how many percent `delayed` makes its block virtually faster. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNIT_US = 100000 };

static int rank, size, token, first_us = UNIT_US, percent;

/* Each works when the one before has. */
static void chain(void)
{
    if (rank > 0) {
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    usleep(UNIT_US);
    if (rank < size - 1) {
        MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    }
}

/* Each part computes before its call: the name of its step. */
__attribute__((noinline)) static void part_a(void)
{
    usleep(2 * UNIT_US);
    MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void part_b2(void)
{
    usleep(UNIT_US);
    MPI_Recv(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void part_b3(void)
{
    usleep(3 * UNIT_US);
    MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

__attribute__((noinline)) static void part_c(void)
{
    usleep(6 * UNIT_US);
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

/* Fig. 4 of SPDT'96: A waits for B, which has waited for C. */
static void carried(void)
{
    if (rank == 0) {
        part_a();
    } else if (rank == 1) {
        part_b2();
        part_b3();
    } else if (rank == 2) {
        part_c();
    }
}

/* Rank 0 is late once, and each round the next one of the ring waits for that. */
static void wave(void)
{
    for (int round = 0; round < 4; round++) {
        if (round == 0 && rank == 0) {
            usleep(UNIT_US);
            MPI_Barrier(MPI_COMM_SELF);
        }
        usleep(2 * UNIT_US);
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Another one is late in each round. */
static void stragglers(void)
{
    for (int round = 0; round < 2 * size; round++) {
        usleep(rank == round % size ? 3 * UNIT_US : 2 * UNIT_US);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* One takes twice as long. */
static void unbalanced(void)
{
    int sum;
    usleep(rank == 3 ? 2 * UNIT_US : UNIT_US);
    MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* The even ones send later than the odd ones receive. */
static void late_senders(void)
{
    for (int round = 0; round < 3; round++) {
        usleep(rank % 2 == 0 ? 2 * UNIT_US : UNIT_US);
        if (rank % 2 == 0 && rank + 1 < size) {
            MPI_Send(&token, 1, MPI_INT, rank + 1, round, MPI_COMM_WORLD);
        } else if (rank % 2 == 1) {
            MPI_Request request;
            MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

/* A synchronous send waits until it is asked for. */
static void late_receiver(void)
{
    if (rank == 0) {
        MPI_Ssend(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        usleep(3 * UNIT_US);
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* The receiver has asked for the long message, and computes before it waits for it. */
static void late_progress(void)
{
    static char bytes[1 << 22];
    for (int round = 0; round < 3; round++) {
        MPI_Request request;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            usleep(UNIT_US);
            MPI_Isend(bytes, sizeof bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Irecv(bytes, sizeof bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
            usleep(3 * UNIT_US);
            MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
        }
    }
}

/* Who looks for a message waits as well, and then no more. */
static void late_probe(void)
{
    if (rank == 0) {
        usleep(3 * UNIT_US);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        usleep(UNIT_US);
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void late_broadcast(void)
{
    usleep(rank == 1 ? 4 * UNIT_US : UNIT_US);
    MPI_Bcast(&token, 1, MPI_INT, 1, MPI_COMM_WORLD);
}

static void early_reduce(void)
{
    int sum;
    usleep(rank == 0 ? UNIT_US : 3 * UNIT_US);
    MPI_Reduce(&token, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* Halves in communicators of their own, then all. */
static void imbalance(void)
{
    MPI_Comm half;
    int sum;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    usleep(rank < 2 ? 2 * first_us : first_us);
    MPI_Barrier(half);
    usleep(rank % 2 == 0 ? UNIT_US : 3 * UNIT_US);
    MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_free(&half);
}

/* A block, then other work, then all together; twice. What the block would take less is what all others wait instead, as in Coz (C. Curtsinger,
 * E. Berger, SOSP'15): the run without these delays is that with a faster block. */
static void delayed(void)
{
    static const int block_us[] = {2 * UNIT_US, UNIT_US, 0};
    static const int other_us[][3] = {{UNIT_US / 2, UNIT_US, 170000}, {UNIT_US / 2, UNIT_US, 110000}};
    int sum;
    for (int round = 0; round < 2; round++) {
        int of_others_us = 0;
        for (int other = 0; other < size; other++) {
            of_others_us += other == rank ? 0 : block_us[other];
        }
        usleep(block_us[rank]);
        MPI_Barrier(MPI_COMM_SELF);
        usleep(other_us[round][rank] + of_others_us / 100 * percent);
        MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* The last one lets all others write into its memory. */
static void exposed(int posts_after_us, int completes_after_us)
{
    MPI_Win window;
    MPI_Group all, group;
    int last = size - 1;
    MPI_Win_create(&token, sizeof token, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == last) {
        MPI_Group_excl(all, 1, &last, &group);
        usleep(posts_after_us);
        MPI_Win_post(group, 0, window);
        MPI_Win_wait(window);
    } else {
        MPI_Group_incl(all, 1, &last, &group);
        MPI_Win_start(group, 0, window);
        MPI_Put(&rank, 1, MPI_INT, last, 0, 1, MPI_INT, window);
        usleep(rank == 0 ? completes_after_us : 0);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Win_free(&window);
}

static void late_post(void)
{
    exposed(3 * UNIT_US, 0);
}

static void early_wait(void)
{
    exposed(0, 2 * UNIT_US);
}

/* One keeps what the other one wants. */
static void locked(void)
{
    MPI_Win window;
    MPI_Win_create(&token, sizeof token, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    usleep(rank == 0 ? 0 : UNIT_US);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    usleep(3 * UNIT_US);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

/* Processor 0 does something else between its tests, and would do no more of it if the message came earlier. */
static void polling(void)
{
    if (rank == 0) {
        MPI_Request request;
        int has_come = 0;
        MPI_Irecv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!has_come) {
            usleep(UNIT_US / 10);
            MPI_Test(&request, &has_come, MPI_STATUS_IGNORE);
        }
    } else if (rank == 1) {
        usleep(3 * UNIT_US);
        MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } programs[] = {{"chain", chain},
                    {"carried", carried},
                    {"wave", wave},
                    {"stragglers", stragglers},
                    {"unbalanced", unbalanced},
                    {"delayed", delayed},
                    {"late_senders", late_senders},
                    {"late_receiver", late_receiver},
                    {"late_probe", late_probe},
                    {"late_progress", late_progress},
                    {"late_broadcast", late_broadcast},
                    {"early_reduce", early_reduce},
                    {"imbalance", imbalance},
                    {"late_post", late_post},
                    {"early_wait", early_wait},
                    {"locked", locked},
                    {"polling", polling}};
    MPI_Init(&argc, &argv);
    if (argc > 2) {
        first_us = percent = atoi(argv[2]);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (unsigned number = 0; argc > 1 && number < sizeof programs / sizeof programs[0]; number++) {
        if (strcmp(programs[number].name, argv[1]) == 0) {
            programs[number].run();
        }
    }
    MPI_Finalize();
    return 0;
}
