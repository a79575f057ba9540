/* events.c: what recording a call of MPI costs, beside what OTF2 takes for the events that it would be there: enter and leave, and of a message
 * between them that it is sent and received. One process, which sends to itself; scripts/bench.sh compiles it:
 *
 *     mpicc -O2 -I../include events.c ../call-runtime-mpi.c -DWITH_OTF2 $(pkg-config --cflags --libs otf2) -lm -pthread -o events
 *     CALL_EVENTS=1 ./events DIRECTORY
 *
 * The contestants take turns, and the processor's time counts. Prints nanoseconds a call, 10th percentile and
 * median over all rounds: of ours those of the recorded call less those of the same call under its second name. OTF2 is given its regions; call
 * stacks, which we find out, are not in its figures. To meet, as ratios of medians: 1.3 times OTF2 with the same clock, saving to disk
 * included; 1.03 times a solver that sends 10,000 messages a second. DIRECTORY is empty and takes what OTF2 writes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../src/base/clock.h"
#include "measure.h"

enum { ROUNDS = 101, CALLS = 20000, GRID = 190, SWEEPS = 200, SITES = 4 };

static double processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int is_there;
static double sent, received;

#define PROBE(name) name(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE)
#define EXCHANGE(name) name(&sent, 1, MPI_DOUBLE, 0, 1, &received, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

/* Each kind of call at several places, some functions deep. */
#define DEEP(kind, body)                                                         \
    __attribute__((noinline)) static void kind##_inner(int site)                 \
    {                                                                            \
        switch (site) {                                                          \
        case 0: body; break;                                                     \
        case 1: body; break;                                                     \
        case 2: body; break;                                                     \
        default: body; break;                                                    \
        }                                                                        \
        __asm__ __volatile__("" ::: "memory");                                   \
    }                                                                            \
    __attribute__((noinline)) static void kind##_middle(int site)                \
    {                                                                            \
        kind##_inner(site);                                                      \
        __asm__ __volatile__("" ::: "memory");                                   \
    }                                                                            \
    __attribute__((noinline)) static void kind(int calls)                        \
    {                                                                            \
        for (int call = 0; call < calls; call++) {                               \
            kind##_middle(call % SITES);                                         \
        }                                                                        \
    }

DEEP(recorded_probes, PROBE(MPI_Iprobe))
DEEP(plain_probes, PROBE(PMPI_Iprobe))
DEEP(recorded_messages, EXCHANGE(MPI_Sendrecv))
DEEP(plain_messages, EXCHANGE(PMPI_Sendrecv))

static double grid[2][GRID][GRID];

static void sweep(int from)
{
    for (int row = 1; row < GRID - 1; row++) {
        for (int column = 1; column < GRID - 1; column++) {
            grid[!from][row][column] = 0.25 * (grid[from][row - 1][column] + grid[from][row + 1][column] + grid[from][row][column - 1] +
                                               grid[from][row][column + 1]);
        }
    }
    __asm__ __volatile__("" ::: "memory");
}

/* A message each 100 us or so. */
static void recorded_solver(int sweeps)
{
    for (int at = 0; at < sweeps; at++) {
        sweep(at % 2);
        sweep(at % 2);
        recorded_messages(1);
    }
}

static void plain_solver(int sweeps)
{
    for (int at = 0; at < sweeps; at++) {
        sweep(at % 2);
        sweep(at % 2);
        plain_messages(1);
    }
}

#ifdef WITH_OTF2
#include "otf2_flush.h"

enum { CLOCKS = 2 };

static OTF2_Archive *archive;
static OTF2_EvtWriter *writers[CLOCKS];

static void otf2_open(const char *directory)
{
    archive = OTF2_Archive_Open(directory, "events", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                                OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL) {
        fprintf(stderr, "OTF2 cannot write into %s\n", directory);
        exit(1);
    }
    OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (int clock = 0; clock < CLOCKS; clock++) {
        writers[clock] = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)clock);
    }
}

static void otf2_close(void)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        OTF2_Archive_CloseEvtWriter(archive, writers[clock]);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_Close(archive);
}

#ifdef CLL_WITH_TSC
#define NOW(is_begin) ((is_begin) ? cll_tsc_begin() : cll_tsc_end())
#else
#define NOW(is_begin) cll_clock_wall_ns()
#endif

#define OTF2_CALLS(name, clock, now, messages)                                                          \
    static void name(int calls)                                                                         \
    {                                                                                                   \
        for (int call = 0; call < calls; call++) {                                                      \
            OTF2_RegionRef region = (OTF2_RegionRef)(call % SITES);                                     \
            uint64_t entered = now(1);                                                                  \
            OTF2_EvtWriter_Enter(writers[clock], NULL, entered, region);                                \
            if (messages) {                                                                             \
                OTF2_EvtWriter_MpiSend(writers[clock], NULL, entered, 0, 0, 1, 8);                      \
            }                                                                                           \
            uint64_t left = now(0);                                                                     \
            if (messages) {                                                                             \
                OTF2_EvtWriter_MpiRecv(writers[clock], NULL, left, 0, 0, 1, 8);                         \
            }                                                                                           \
            OTF2_EvtWriter_Leave(writers[clock], NULL, left, region);                                   \
        }                                                                                               \
    }
#define WALL(is_begin) cll_clock_wall_ns()

OTF2_CALLS(otf2_probes, 0, NOW, 0)
OTF2_CALLS(otf2_messages, 0, NOW, 1)
OTF2_CALLS(otf2_wall_probes, 1, WALL, 0)
OTF2_CALLS(otf2_wall_messages, 1, WALL, 1)
#endif

typedef struct {
    const char *name;
    void (*run)(int calls);
    int calls;
    double times_ns[ROUNDS];
} contestant;

/* Of sorted times. */
static double nanoseconds(const contestant *its, size_t percent)
{
    return percentile(its->times_ns, ROUNDS, percent) / its->calls;
}

static void print_cost(const char *name, const contestant *recorded, const contestant *plain)
{
    printf("%-28s %8.1f %8.1f\n", name, nanoseconds(recorded, 10) - nanoseconds(plain, 10),
           nanoseconds(recorded, 50) - nanoseconds(plain, 50));
}

static void print_ratio(const contestant *recorded, const contestant *plain, const contestant *other)
{
    double others_ns[] = {nanoseconds(other, 10), nanoseconds(other, 50)};
    printf("%-28s %8.1f %8.1f   ours are %.2f and %.2f times that\n", other->name, others_ns[0], others_ns[1],
           (nanoseconds(recorded, 10) - nanoseconds(plain, 10)) / others_ns[0],
           (nanoseconds(recorded, 50) - nanoseconds(plain, 50)) / others_ns[1]);
}

int main(int argument_count, char **arguments)
{
    static contestant all[] = {
        {"recorded call", recorded_probes, CALLS, {0}},       {"call", plain_probes, CALLS, {0}},
        {"recorded message", recorded_messages, CALLS, {0}},  {"message", plain_messages, CALLS, {0}},
        {"recorded solver", recorded_solver, SWEEPS, {0}},    {"solver", plain_solver, SWEEPS, {0}},
#ifdef WITH_OTF2
        {"OTF2, a call", otf2_probes, CALLS, {0}},            {"OTF2, a message", otf2_messages, CALLS, {0}},
        {"OTF2, a call, system clock", otf2_wall_probes, CALLS, {0}}, {"OTF2, a message, system", otf2_wall_messages, CALLS, {0}},
#endif
    };
    enum { COUNT = sizeof all / sizeof *all };
    size_t turns[COUNT];
    size_t count = COUNT;
    MPI_Init(&argument_count, &arguments);
#ifdef WITH_OTF2
    otf2_open(argument_count > 1 ? arguments[1] : ".");
#endif
    for (int round = -1; round < ROUNDS; round++) {
        shuffle(turns, count);
        for (size_t turn = 0; turn < count; turn++) {
            contestant *its = &all[turns[turn]];
            double begin_ns = processor_ns();
            its->run(its->calls);
            if (round >= 0) { /* the first time everything is new */
                its->times_ns[round] = processor_ns() - begin_ns;
            }
        }
    }
    double shares[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        shares[round] = all[4].times_ns[round] / all[5].times_ns[round];
    }
    sort(shares, ROUNDS);
    for (size_t at = 0; at < count; at++) {
        sort(all[at].times_ns, ROUNDS);
    }
    printf("nanoseconds of the processor     10%%   median   (clock %s)\n", cll_clock_name());
    print_cost("recording a call", &all[0], &all[1]);
    print_cost("recording a message", &all[2], &all[3]);
#ifdef WITH_OTF2
    print_ratio(&all[0], &all[1], &all[6]);
    print_ratio(&all[0], &all[1], &all[8]);
    print_ratio(&all[2], &all[3], &all[7]);
    print_ratio(&all[2], &all[3], &all[9]);
    otf2_close();
#endif
    double sweep_ns = nanoseconds(&all[5], 50);
    printf("a solver with %.0f messages a second takes %.4f times as long recorded (median of the rounds; by the cost of a message %.4f)\n",
           1e9 / sweep_ns, percentile(shares, ROUNDS, 50), 1 + (nanoseconds(&all[2], 50) - nanoseconds(&all[3], 50)) / sweep_ns);
    MPI_Finalize();
    return 0;
}
