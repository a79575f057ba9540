/* Arguments SUPERSTEPS and REPORTS: a ring with so many supersteps before each report. Processor s advances the counting clock by
 * s + 1 ns in each of them; each of its readings takes 1 ns. */
#include <call.h>
#include <pub.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);
void cll_clock_set_reading(unsigned long long nanoseconds);

static const cll_unit unit = {
    .name = "supersteps_many", .source = "supersteps_many.c", .kind = CLL_PUB, .supersteps = 1};

CLL_REGISTER(unit);

int main(int argc, char **argv)
{
    t_bsp bsp;
    cll_clock_set_reading(1);
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int supersteps = argc > 1 ? atoi(argv[1]) : 1, reports = argc > 2 ? atoi(argv[2]) : 1;
    for (int report = 0; report < reports; report++) {
        for (int superstep = 0; superstep < supersteps; superstep++) {
            cll_clock_advance(1 + (unsigned long long)bsp_pid(&bsp));
            bsp_send(&bsp, (bsp_pid(&bsp) + 1) % bsp_nprocs(&bsp), "1234", 4);
#line 7 "a\\file of\tmine.c"
            bsp_sync(&bsp);
        }
        cll_report(&unit, &bsp, NULL);
    }
    bsplib_done();
    return 0;
}
