/* CALL_CLOCK=counting, any number of processors. In each superstep of a machine of n processors its processor s computes, sends 8(s + 1)
 * bytes to the next one, and waits for the slowest one and 250 ns more, as a clock that all of them have in common would tell. */
#include <pub.h>
#include <stdint.h>

void cll_clock_advance(unsigned long long nanoseconds);
void cll_clock_set_waiting(unsigned long long nanoseconds);

static char bytes[8 * 64];

static uint64_t computing_ns(int n, int s, int k)
{
    return 1000u * (uint64_t)((s + k) % n + 1);
}

/* Processor s does so in n supersteps of parts. */
static uint64_t in_parts_ns(int n, int s);

/* Superstep k, in which some come from parts. */
static uint64_t slowest_ns(int n, int k, int has_parts)
{
    uint64_t slowest = 0;
    for (int s = 0; s < n; s++) {
        uint64_t ready = computing_ns(n, s, k) + (has_parts ? in_parts_ns(n, s) : 0);
        slowest = ready > slowest ? ready : slowest;
    }
    return slowest;
}

static uint64_t in_parts_ns(int n, int s)
{
    if (n == 1) {
        return 0;
    }
    int is_second = s >= n / 2, count = is_second ? n - n / 2 : n / 2;
    uint64_t time_ns = slowest_ns(count, 0, 0) + 250 + slowest_ns(count, 3, 1) + 250;
    return is_second ? time_ns + slowest_ns(count, 1, 0) + 250 : time_ns;
}

static void plan(t_bsp *bsp, int k, int has_parts)
{
    int n = bsp_nprocs(bsp), s = bsp_pid(bsp);
    uint64_t ready_ns = computing_ns(n, s, k) + (has_parts ? in_parts_ns(n, s) : 0);
    cll_clock_advance(computing_ns(n, s, k));
    bsp_send(bsp, (s + 1) % n, bytes, 8 * (s + 1));
    cll_clock_set_waiting(slowest_ns(n, k, has_parts) - ready_ns + 250);
}

static void work(t_bsp *bsp, int k)
{
    plan(bsp, k, 0);
    bsp_sync(bsp);
}

static void foo(t_bsp *bsp)
{
    work(bsp, 0);
    work(bsp, 1);
}

static void bar(t_bsp *bsp)
{
    work(bsp, 2);
}

static void down(t_bsp *bsp, int k)
{
    work(bsp, k);
    if (k > 0) {
        down(bsp, k - 1);
    }
}

/* The second half works twice. */
static void divide(t_bsp *bsp)
{
    int n = bsp_nprocs(bsp);
    if (n > 1) {
        t_bsp part;
        int ends[2] = {n / 2, n};
        int times = bsp_pid(bsp) < n / 2 ? 1 : 2;
        bsp_partition(bsp, &part, 2, ends);
        for (int k = 0; k < times; k++) {
            work(&part, k);
        }
        divide(&part);
        bsp_done(&part);
    }
    plan(bsp, 3, n > 1);
    bsp_sync(bsp);
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    foo(&bsp);
    bar(&bsp);
    down(&bsp, 2);
    divide(&bsp);
    bsplib_done();
    return 0;
}
