/* bsplib.c: what the operations of BSPlib cost on two processors, each of which has the other as its partner: supersteps with one
 * operation, and many operations in one superstep. Compiled with mpicc, beside MPI_Barrier and MPI_Sendrecv of the same run.
 *
 *     cc -O2 -I../include bsplib.c ../call-runtime.c -lm -pthread -o bsplib && CALL_PROCESSORS=2 ./bsplib
 *     mpicc -O2 -DWITH_MPI -I../include bsplib.c ../call-runtime-mpi.c -lm -pthread -o bsplib && mpirun -n 2 ./bsplib
 *
 * Prints the 10th percentile and the median of processor 0; of many operations in one superstep the time of one in nanoseconds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { STEPS = 2000, LARGE_STEPS = 300, MANY_STEPS = 300, MANY = 2000, LARGEST = 1 << 20 };

typedef enum { EMPTY, PUT, HPPUT, GET, HPGET, SEND } operation;

static char source[LARGEST];
static char area[LARGEST];
static char copy[LARGEST];
static double step_us[STEPS];
static int partner;

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void tell(const char *name, int steps, double per, const char *unit)
{
    if (bsp_pid() == 0) {
        qsort(step_us, (size_t)steps, sizeof *step_us, ascending);
        printf("%-30s %9.2f %9.2f %s\n", name, step_us[steps / 10] * per, step_us[steps / 2] * per, unit);
    }
}

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

static void measure(const char *name, operation what, int size)
{
    int steps = size < 65536 ? STEPS : LARGE_STEPS;
    for (int step = 0; step < steps; step++) {
        double start_us = now_us();
        do_one(what, 0, size);
        bsp_sync();
        if (what == SEND) {
            read_messages();
        }
        step_us[step] = now_us() - start_us;
    }
    tell(name, steps, 1, "us");
}

static void measure_many(const char *name, operation what)
{
    for (int step = 0; step < MANY_STEPS; step++) {
        double start_us = now_us();
        for (int at = 0; at < MANY; at++) {
            do_one(what, 8 * at, 8);
        }
        bsp_sync();
        if (what == SEND) {
            read_messages();
        }
        step_us[step] = now_us() - start_us;
    }
    tell(name, MANY_STEPS, 1000.0 / MANY, "ns each");
}

#ifdef WITH_MPI
static void measure_mpi(const char *name, int size)
{
    int steps = size < 65536 ? STEPS : LARGE_STEPS;
    for (int step = 0; step < steps; step++) {
        double start_us = now_us();
        if (size < 0) {
            MPI_Barrier(MPI_COMM_WORLD);
        } else {
            MPI_Sendrecv(source, size, MPI_BYTE, partner, 0, copy, size, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        step_us[step] = now_us() - start_us;
    }
    tell(name, steps, 1, "us");
}
#endif

int main(void)
{
    bsp_begin(2);
    partner = bsp_nprocs() - 1 - bsp_pid();
    memset(source, 1, sizeof source);
    memset(area, 1, sizeof area);
    memset(copy, 1, sizeof copy);
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    if (bsp_pid() == 0) {
        printf("%-30s %9s %9s\n", "", "10 %", "median");
    }
    measure("bsp_sync, empty", EMPTY, 0);
    measure("bsp_put, 8 B", PUT, 8);
    measure("bsp_hpput, 8 B", HPPUT, 8);
    measure("bsp_get, 8 B", GET, 8);
    measure("bsp_send, 8 B", SEND, 8);
    measure("bsp_put, 64 KiB", PUT, 65536);
    measure("bsp_hpput, 64 KiB", HPPUT, 65536);
    measure("bsp_get, 64 KiB", GET, 65536);
    measure("bsp_hpget, 64 KiB", HPGET, 65536);
    measure("bsp_send, 64 KiB", SEND, 65536);
    measure("bsp_put, 1 MiB", PUT, LARGEST);
    measure("bsp_hpput, 1 MiB", HPPUT, LARGEST);
    measure("bsp_get, 1 MiB", GET, LARGEST);
    measure_many("2000 x bsp_put, 8 B", PUT);
    measure_many("2000 x bsp_get, 8 B", GET);
    measure_many("2000 x bsp_send, 8 B", SEND);
#ifdef WITH_MPI
    measure_mpi("MPI_Barrier", -1);
    measure_mpi("MPI_Sendrecv, 8 B", 8);
    measure_mpi("MPI_Sendrecv, 64 KiB", 65536);
    measure_mpi("MPI_Sendrecv, 1 MiB", LARGEST);
#endif
    bsp_end();
    return 0;
}
