/* PUB supersteps whose records are known exactly: a ring, messages to all and oneself, puts and gets, parts with an oblivious
 * synchronisation, a copy of the machine, two reports. Any number of processors; the counting clock gives each its own times. */
#include <call.h>
#include <pub.h>
#include <string.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_unit unit = {
    .name = "supersteps_pub", .source = "supersteps_pub.c", .kind = CLL_PUB, .supersteps = 1};

CLL_REGISTER(unit);

static void compute(const t_bsp *bsp, unsigned long long nanoseconds)
{
    cll_clock_advance(nanoseconds * (1 + (unsigned long long)bsp_pid(bsp)));
}

__attribute__((noinline)) static void pass_on(t_bsp *bsp)
{
    int pid = bsp_pid(bsp);
    compute(bsp, 1000);
    bsp_send(bsp, (pid + 1) % bsp_nprocs(bsp), "12345", 5);
    bsp_sync(bsp);
}

/* Each one sends an empty message and one of 7 bytes to all, itself included. */
__attribute__((noinline)) static void tell_all(t_bsp *bsp)
{
    compute(bsp, 2000);
    for (int to = 0; to < bsp_nprocs(bsp); to++) {
        bsp_send(bsp, to, "", 0);
        bsp_send(bsp, to, "1234567", 7);
    }
    bsp_sync(bsp);
}

/* Puts to the next one, gets from the one after, and both at home. */
__attribute__((noinline)) static void access_memory(t_bsp *bsp)
{
    int p = bsp_nprocs(bsp), pid = bsp_pid(bsp), next = (pid + 1) % p, after = (pid + 2) % p;
    char area[100], got[40];
    memset(area, 'a', sizeof area);
    bsp_push_reg(bsp, area, sizeof area);
    bsp_sync(bsp);
    compute(bsp, 3000);
    bsp_put(bsp, next, "123456789", area, 10, 9);
    bsp_hpput(bsp, next, "123", area, 30, 3);
    bsp_put(bsp, next, "123", area, 30, 0);
    bsp_get(bsp, after, area, 50, got, 40);
    bsp_get(bsp, pid, area, 50, got, 40);
    bsp_put(bsp, pid, "12", area, 0, 2);
    bsp_sync(bsp);
    bsp_pop_reg(bsp, area);
    bsp_sync(bsp);
}

/* In each part the first one sends to the others, which wait for just that. */
static void scatter(t_bsp *bsp)
{
    compute(bsp, 4000);
    for (int to = 1; bsp_pid(bsp) == 0 && to < bsp_nprocs(bsp); to++) {
        bsp_send(bsp, to, "1234", 4);
    }
    bsp_oblsync(bsp, bsp_pid(bsp) > 0);
    compute(bsp, 5000);
}

__attribute__((noinline)) static void divide(t_bsp *bsp)
{
    t_bsp part;
    int ends[2];
    ends[0] = bsp_nprocs(bsp) / 2;
    ends[1] = bsp_nprocs(bsp);
    if (ends[0] == 0) {
        ends[0] = 1;
    }
    bsp_partition(bsp, &part, ends[0] == ends[1] ? 1 : 2, ends);
    scatter(&part);
    bsp_done(&part);
    compute(bsp, 6000);
    bsp_sync(bsp);
}

int main(int argc, char **argv)
{
    t_bsp bsp, copy;
    void (*sync)(t_bsp *) = bsp_sync;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    for (int round = 0; round < 3; round++) {
        pass_on(&bsp);
    }
    tell_all(&bsp);
    access_memory(&bsp);
    divide(&bsp);
    bsp_dup(&bsp, &copy);
    pass_on(&copy), bsp_done(&copy);
    sync(&bsp);
    compute(&bsp, 7000);
    cll_report(&unit, &bsp, NULL);
    compute(&bsp, 100);
    bsp_sync(&bsp);
    cll_report(&unit, &bsp, NULL);
    bsplib_done();
    return 0;
}
