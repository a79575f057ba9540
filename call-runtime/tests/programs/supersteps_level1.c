/* Supersteps that collective functions of BSPlib end: their places are those of the calls, and no function of the library is in them. */
#include <bsp.h>
#include <bsp_level1.h>
#include <call.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_unit unit = {
    .name = "supersteps_level1", .source = "supersteps_level1.c", .kind = CLL_BSPLIB, .supersteps = 1};

CLL_REGISTER(unit);

static int came;

__attribute__((noinline)) static int add_up(int own)
{
    return 1 + bsp_sumI(own);
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    int s = bsp_pid();
    bsp_push_reg(&came, sizeof came);
    bsp_sync();
    cll_clock_advance(100 + (unsigned long long)s);
    s = add_up(s);
    cll_clock_advance(200);
    bsp_bcast(0, &s, &came, sizeof came);
    cll_report(&unit, NULL, NULL);
    bsp_end();
    return 0;
}
