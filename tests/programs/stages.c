/* BSPlib: a total exchange of one number each, measured in two experiments; the sum is checked. */
#include <bsp.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

static int wanted = 2;

static void exchange(void)
{
    int p, me, k, sum = 0;
    int *received;
    bsp_begin(wanted);
    p = bsp_nprocs();
    me = bsp_pid();
    received = calloc((size_t)p, sizeof *received);
#pragma cll parallel BSPlib procs = 1:4:2
#pragma cll sync total total[0] + total[1]*p
    bsp_push_reg(received, p * (int)sizeof *received);
    bsp_sync();
    for (k = 0; k < p; k++) {
        bsp_put(k, &me, received, me * (int)sizeof me, sizeof me);
    }
    cll_clock_advance(1000ull * (unsigned)p);
    bsp_sync();
#pragma cll end total
#pragma cll local local[0]*me
    for (k = 0; k < p; k++) {
        sum += received[k];
    }
    cll_clock_advance(100ull * (unsigned)me);
#pragma cll end local
#pragma cll report all
    if (sum != p * (p - 1) / 2) {
        bsp_abort("sum %d", sum);
    }
    bsp_end();
    free(received);
}

int main(int argc, char **argv)
{
    bsp_init(exchange, argc, argv);
    wanted = bsp_nprocs();
    exchange();
    return 0;
}
