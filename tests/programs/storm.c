/* Measures `step` again and again on each processor, and writes into the file done.PROCESSOR, which outlives any end of the process, how
 * many of these measurements are complete. Arguments: STEPS, then how to end: report, exit, _exit, abort, segv, mpi_abort (with
 * -DWITH_MPI), twice (two reports of some experiments each), nest (all within a measurement `whole`). With CALL_CLOCK=counting step k takes k % 1000 + 1 ns. */
#include <fcntl.h>
#include <pub.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

extern void cll_clock_advance(unsigned long long nanoseconds);

static volatile unsigned long long *map_counter(int processor)
{
    char name[32];
    snprintf(name, sizeof name, "done.%d", processor);
    int file = open(name, O_RDWR | O_CREAT, 0666);
    if (file < 0 || ftruncate(file, sizeof(unsigned long long)) != 0) {
        exit(3);
    }
    volatile unsigned long long *mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    *mapped = 0;
    return mapped;
}

static void run(unsigned long steps, volatile unsigned long long *done)
{
    for (unsigned long k = 0; k < steps; k++) {
#pragma cll step step[0]
        cll_clock_advance(k % 1000 + 1);
#pragma cll end step
        if (k % 100 == 0) {
            double half = (double)k / 2;
            (void)half; /* compilers without call know no other use */
#pragma cll rare rare[0]*half
            cll_clock_advance(5);
#pragma cll end rare
        }
        *done = k + 1;
    }
}

int main(int argc, char **argv)
{
    t_bsp bsp, *machine = &bsp;
#pragma cll parallel PUB machine
    unsigned long steps = strtoul(argv[1], NULL, 10);
    const char *end = argc > 2 ? argv[2] : "report";
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, machine);
    volatile unsigned long long *done = map_counter(bsp_pid(machine));
    if (strcmp(end, "nest") == 0) {
#pragma cll whole whole[0]
        run(steps, done);
#pragma cll end whole
    } else {
        run(steps, done);
    }
    if (strcmp(end, "exit") == 0) {
        exit(0);
    } else if (strcmp(end, "_exit") == 0) {
        _exit(0);
    } else if (strcmp(end, "abort") == 0) {
        abort();
    } else if (strcmp(end, "segv") == 0) {
        raise(SIGSEGV);
#ifdef WITH_MPI
    } else if (strcmp(end, "mpi_abort") == 0) {
        MPI_Abort(MPI_COMM_WORLD, 3);
#endif
    } else if (strcmp(end, "twice") == 0) {
#pragma cll report step
#pragma cll report rare
    } else {
#pragma cll report all
    }
    bsplib_done();
    return 0;
}
