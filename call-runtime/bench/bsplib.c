/* bsplib.c: what the operations of BSPlib cost on two processors, each of which has the other as its partner: supersteps with one
 * operation, and many operations in one superstep. Compiled with mpicc, beside MPI_Barrier and MPI_Sendrecv of the same run.
 *
 *     cc -O2 -I../include bsplib.c ../call-runtime.c -lm -pthread -o bsplib && CALL_PROCESSORS=2 ./bsplib
 *     mpicc -O2 -DWITH_MPI -I../include bsplib.c ../call-runtime-mpi.c -lm -pthread -o bsplib && mpirun -n 2 ./bsplib
 *
 * All take turns in a random order. Prints the 10th percentile and the median of processor 0; of many operations in one superstep
 * the time of one in nanoseconds. The last column is what BSPonMPI reached (10th percentile, its bsp_sync over Open MPI between two
 * cores of one computer, where an MPI_Barrier took 0.31 us): over MPI to be beaten, within a computer by far.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <bsp.h>
#include <stdio.h>
#include <string.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

#include "measure.h"

enum { ROUNDS = 10, STEPS = 2000, LARGE_STEPS = 300, MANY = 2000, LARGEST = 1 << 20 };

typedef enum { EMPTY, PUT, HPPUT, GET, HPGET, SEND, RAW_BARRIER, RAW_SENDRECV } operation;

typedef struct {
    const char *name;
    operation what;
    int size;
    int count; /* in a superstep */
    double to_beat;
} contestant;

static const contestant contestants[] = {
    {"bsp_sync, empty", EMPTY, 0, 1, 3.9},
    {"bsp_put, 8 B", PUT, 8, 1, 4.7},
    {"bsp_hpput, 8 B", HPPUT, 8, 1, 0},
    {"bsp_get, 8 B", GET, 8, 1, 0},
    {"bsp_send, 8 B", SEND, 8, 1, 5.1},
    {"bsp_put, 64 KiB", PUT, 65536, 1, 20},
    {"bsp_hpput, 64 KiB", HPPUT, 65536, 1, 7.3},
    {"bsp_get, 64 KiB", GET, 65536, 1, 0},
    {"bsp_hpget, 64 KiB", HPGET, 65536, 1, 0},
    {"bsp_send, 64 KiB", SEND, 65536, 1, 0},
    {"bsp_put, 1 MiB", PUT, LARGEST, 1, 303},
    {"bsp_hpput, 1 MiB", HPPUT, LARGEST, 1, 89},
    {"bsp_get, 1 MiB", GET, LARGEST, 1, 0},
    {"2000 x bsp_put, 8 B", PUT, 8, MANY, 39},
    {"2000 x bsp_get, 8 B", GET, 8, MANY, 110},
    {"2000 x bsp_send, 8 B", SEND, 8, MANY, 27},
#ifdef WITH_MPI
    {"MPI_Barrier", RAW_BARRIER, 0, 1, 0.31},
    {"MPI_Sendrecv, 8 B", RAW_SENDRECV, 8, 1, 0},
    {"MPI_Sendrecv, 64 KiB", RAW_SENDRECV, 65536, 1, 0},
    {"MPI_Sendrecv, 1 MiB", RAW_SENDRECV, LARGEST, 1, 0},
#endif
};

enum { CONTESTANTS = sizeof contestants / sizeof *contestants };

static char source[LARGEST];
static char area[LARGEST];
static char copy[LARGEST];
static double step_us[CONTESTANTS][STEPS];
static int partner;

static void do_one(operation what, int offset, int size)
{
    switch (what) {
    case EMPTY:
        break;
    case PUT:
        bsp_put(partner, source + offset, area, offset, size);
        break;
    case HPPUT:
        bsp_hpput(partner, source + offset, area, offset, size);
        break;
    case GET:
        bsp_get(partner, area, offset, copy + offset, size);
        break;
    case HPGET:
        bsp_hpget(partner, area, offset, copy + offset, size);
        break;
    case SEND:
        bsp_send(partner, NULL, source + offset, size);
        break;
    case RAW_BARRIER:
#ifdef WITH_MPI
        MPI_Barrier(MPI_COMM_WORLD);
#endif
        break;
    case RAW_SENDRECV:
#ifdef WITH_MPI
        MPI_Sendrecv(source, size, MPI_BYTE, partner, 0, copy, size, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        break;
    }
}

/* Reading is part of a message. */
static void read_messages(void)
{
    int messages;
    bsp_qsize(&messages, NULL);
    while (messages-- > 0) {
        bsp_move(copy, LARGEST);
    }
}

static void step_of(const contestant *its)
{
    for (int at = 0; at < its->count; at++) {
        do_one(its->what, 8 * at, its->size);
    }
    if (its->what < RAW_BARRIER) {
        bsp_sync();
    }
    if (its->what == SEND) {
        read_messages();
    }
}

static int steps_of(const contestant *its)
{
    return its->size >= 65536 || its->count > 1 ? LARGE_STEPS : STEPS;
}

/* The first step pays for memory that the one before has cooled. */
static void measure(const contestant *its, double *its_us, int steps)
{
    step_of(its);
    for (int step = 0; step < steps; step++) {
        double start_us = now_us();
        step_of(its);
        its_us[step] = now_us() - start_us;
    }
}

static void show(const contestant *its, double *its_us)
{
    size_t steps = (size_t)steps_of(its);
    double per = its->count > 1 ? 1000.0 / its->count : 1;
    sort(its_us, steps);
    printf("%-26s %8.2f %8.2f %-8s", its->name, percentile(its_us, steps, 10) * per, percentile(its_us, steps, 50) * per,
           its->count > 1 ? "ns each" : "us");
    if (its->to_beat > 0) {
        printf(" %7.4g", its->to_beat);
    }
    printf("\n");
}

int main(void)
{
    bsp_begin(2);
    partner = bsp_nprocs() - 1 - bsp_pid();
    memset(source, 1, sizeof source);
    memset(area, 1, sizeof area);
    memset(copy, 1, sizeof copy);
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    srand(1); /* the same order everywhere */
    for (int round = 0; round < ROUNDS; round++) {
        size_t order[CONTESTANTS];
        shuffle(order, CONTESTANTS);
        for (size_t at = 0; at < CONTESTANTS; at++) {
            const contestant *next = &contestants[order[at]];
            int steps = steps_of(next) / ROUNDS;
            measure(next, &step_us[order[at]][round * steps], steps);
        }
    }
    if (bsp_pid() == 0) {
        printf("%-26s %8s %8s %-8s %7s\n", "", "10 %", "median", "", "to beat");
        for (size_t number = 0; number < CONTESTANTS; number++) {
            show(&contestants[number], step_us[number]);
        }
    }
    bsp_end();
    return 0;
}
