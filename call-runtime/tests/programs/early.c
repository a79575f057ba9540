/* 4 processors: processors 2 and 3 close their part and send to 0 and 1 on the machine of all while these are still busy in theirs, and
 * processor 1 is a superstep of the part ahead of 0. Says `early ok`. */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void rest(long milliseconds)
{
    struct timespec pause = {0, milliseconds * 1000000};
    nanosleep(&pause, NULL);
}

static int only_message(t_bsp *bsp, int from)
{
    int value;
    t_bspmsg *message = bsp_findmsg(bsp, from, 0);
    if (bsp_nmsgs(bsp) != 1 || message == NULL || bspmsg_size(message) != (int)sizeof value) {
        fprintf(stderr, "early: processor %d has no message from %d\n", bsp_pid(bsp), from);
        exit(1);
    }
    memcpy(&value, bspmsg_data(message), sizeof value);
    return value;
}

static void expect(int value, int wanted)
{
    if (value != wanted) {
        fprintf(stderr, "early: %d instead of %d\n", value, wanted);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    t_bsp bsp, half;
    int ends[2] = {2, 4};
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int pid = bsp_pid(&bsp);
    for (int round = 0; round < 20; round++) {
        int value = 100 * round + pid;
        bsp_partition(&bsp, &half, 2, ends);
        if (pid < 2) {
            if (pid == 0) {
                rest(3);
            } else {
                bsp_send(&half, 0, &value, (int)sizeof value);
                bsp_oblsync(&half, 0);
                value += 1000;
                bsp_send(&half, 0, &value, (int)sizeof value);
                bsp_oblsync(&half, 0);
            }
            if (pid == 0) {
                bsp_oblsync(&half, 1);
                expect(only_message(&half, 1), 100 * round + 1);
                bsp_oblsync(&half, 1);
                expect(only_message(&half, 1), 100 * round + 1001);
            }
        }
        bsp_done(&half);
        if (pid >= 2) {
            bsp_send(&bsp, pid - 2, &value, (int)sizeof value);
            bsp_oblsync(&bsp, 0);
        } else {
            bsp_oblsync(&bsp, 1);
            expect(only_message(&bsp, pid + 2), 100 * round + pid + 2);
        }
    }
    bsplib_done();
    if (pid == 0) {
        printf("early ok\n");
    }
    return 0;
}
