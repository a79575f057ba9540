/* 2 processors or more, argument SUPERSTEPS: processor 0 runs ahead through all supersteps with bsp_oblsync(0), the others pass its
 * messages on; the last one starts when it has slept. Early messages wait for their superstep. Says `pipeline ok`. */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int supersteps = argc > 1 ? atoi(argv[1]) : 10;
    int pid = bsp_pid(&bsp), last = bsp_nprocs(&bsp) - 1;
    if (pid == last) {
        struct timespec pause = {0, 100000000};
        nanosleep(&pause, NULL);
    }
    /* In superstep s processor p passes on the number s - p. */
    for (int superstep = 0; superstep < supersteps; superstep++) {
        int number = superstep - pid;
        if (pid > 0 && superstep > 0) {
            int previous;
            if (bsp_nmsgs(&bsp) != 1) {
                exit(1);
            }
            memcpy(&previous, bspmsg_data(bsp_getmsg(&bsp, 0)), sizeof previous);
            if (previous != superstep - 1 - (pid - 1)) {
                fprintf(stderr, "pipeline: processor %d got %d in superstep %d\n", pid, previous, superstep);
                exit(1);
            }
        }
        if (pid < last) {
            bsp_send(&bsp, pid + 1, &number, (int)sizeof number);
        }
        bsp_oblsync(&bsp, pid > 0);
    }
    bsplib_done();
    if (pid == last) {
        printf("pipeline ok\n");
    }
    return 0;
}
