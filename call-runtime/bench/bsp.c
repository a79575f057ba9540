/* bsp.c: what supersteps cost: an empty one, and one in which each processor sends to its right neighbour, ended in both ways.
 *
 *     cc -O2 -I../include bsp.c ../call-runtime.c -lm -pthread -o bsp && CALL_PROCESSORS=2 ./bsp
 *     mpicc -O2 -I../include bsp.c ../call-runtime-mpi.c -lm -o bsp && mpirun -n 2 ./bsp
 *
 * Prints the 10th percentile and the median time of a superstep on processor 0, in microseconds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <pub.h>
#include <stdio.h>

#include "measure.h"

#define SUPERSTEPS 2001
#define LARGEST 1048576

static char data[LARGEST];

/* `size` < 0: nothing is sent. */
static void measure(t_bsp *bsp, const char *name, int size, int is_oblivious)
{
    static double step_us[SUPERSTEPS];
    int right = (bsp_pid(bsp) + 1) % bsp_nprocs(bsp);
    for (int step = 0; step < SUPERSTEPS; step++) {
        double start_us = now_us();
        if (size >= 0) {
            bsp_send(bsp, right, data, size);
        }
        if (is_oblivious) {
            bsp_oblsync(bsp, size >= 0);
        } else {
            bsp_sync(bsp);
        }
        step_us[step] = now_us() - start_us;
    }
    bsp_sync(bsp);
    if (bsp_pid(bsp) == 0) {
        sort(step_us, SUPERSTEPS);
        printf("%-26s %8.2f %8.2f us\n", name, percentile(step_us, SUPERSTEPS, 10), percentile(step_us, SUPERSTEPS, 50));
    }
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    measure(&bsp, "bsp_sync, empty", -1, 0);
    measure(&bsp, "bsp_sync, 8 bytes", 8, 0);
    measure(&bsp, "bsp_sync, 64 KiB", 65536, 0);
    measure(&bsp, "bsp_oblsync, 8 bytes", 8, 1);
    measure(&bsp, "bsp_oblsync, 64 KiB", 65536, 1);
    measure(&bsp, "bsp_oblsync, 1 MiB", LARGEST, 1);
    bsplib_done();
    return 0;
}
