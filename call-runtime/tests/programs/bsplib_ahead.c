/* 16 processors in simulated time: processor 0 sends to processor 12 at the start of each second superstep, in which that one rests first. Says `ok` if
 * it rests while the message is on its way, which then costs no time. */
#include <bsp.h>
#include <stdio.h>
#include <unistd.h>

enum { SUPERSTEPS = 20, RECEIVER = 12, REST_US = 40 };

static unsigned char data[60000];

static double passed_s(int rest_us)
{
    bsp_sync();
    double begin_s = bsp_time();
    for (int s = 0; s < SUPERSTEPS; s++) {
        if (bsp_pid() == 0 && s % 2 == 1) {
            bsp_send(RECEIVER, NULL, data, sizeof data);
        }
        if (bsp_pid() == RECEIVER && s % 2 == 1 && rest_us > 0) {
            usleep((useconds_t)rest_us);
        }
        bsp_sync();
    }
    return bsp_time() - begin_s;
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    double without_s = passed_s(0);
    double cost_s = passed_s(REST_US) - without_s;
    double rest_s = 1e-6 * REST_US * SUPERSTEPS / 2;
    if (bsp_pid() == 0) {
        if (cost_s < 0.1 * rest_s) {
            printf("ok\n");
        } else {
            printf("%.6f s more for a rest of %.6f s\n", cost_s, rest_s);
        }
    }
    bsp_end();
    return 0;
}
