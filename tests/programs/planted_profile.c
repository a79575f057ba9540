/* CALL_CLOCK=counting: in superstep k processor s computes for ((s + k) mod P) + 1 microseconds and sends 8(s + 1) bytes to the next. */
#include <bsp.h>

void cll_clock_advance(unsigned long long nanoseconds);

static char bytes[8 * 64];

static void step(int k)
{
    int p = bsp_nprocs(), s = bsp_pid();
    cll_clock_advance(1000ull * (unsigned)((s + k) % p + 1));
    bsp_send((s + 1) % p, (void *)0, bytes, 8 * (s + 1));
    bsp_sync();
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    for (int k = 0; k < 3; k++) {
        step(k);
    }
    bsp_end();
    return 0;
}
