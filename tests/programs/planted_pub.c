/* As planted.c, on a BSP machine: the time depends on the number of processors, too. */
#include <pub.h>

void cll_clock_advance(unsigned long long nanoseconds);

int main(int argc, char **argv)
{
    t_bsp bsp, *machine = &bsp;
    unsigned long N;
    int levels = 0;
#pragma cll parallel PUB machine procs = 1:8:2
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, machine);
    while (1 << levels < bsp_nprocs(machine)) {
        levels++;
    }
    N = 1024;
#pragma cll for(N = 1024; N <= 262144; N *= 2)
#pragma cll sync f f[0] + f[1]*log2(P) + f[2]*N/P
    /* processor 0 is the slowest by one nanosecond for each processor behind it */
    cll_clock_advance(12000 + 3500ull * (unsigned)levels + 17ull * N / (unsigned)bsp_nprocs(machine)
                      - (unsigned)bsp_pid(machine));
#pragma cll end f
#pragma cll end for
#pragma cll report all
    bsplib_done();
    return 0;
}
