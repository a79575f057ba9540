/* Processor 1 sleeps 120 ms in E, processor 0 40 ms outside of it, three times. */
#include <pub.h>
#include <time.h>

#pragma cll parallel PUB &bsp procs = 2 supersteps

static void work(int milliseconds)
{
    struct timespec time = {0, milliseconds * 1000000L};
    nanosleep(&time, 0);
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    for (int step = 1; step <= 3; step++) {
        if (bsp_pid(&bsp) == 1) {
#pragma cll E E[0]
            work(120);
#pragma cll end E
        } else {
            work(40);
        }
        bsp_send(&bsp, 1 - bsp_pid(&bsp), "1234", step);
        bsp_sync(&bsp);
    }
#pragma cll report all
    bsplib_done();
    return 0;
}
