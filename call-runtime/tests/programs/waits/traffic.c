/* ok: processor 0 waits for long while the others exchange messages, now and then with pauses, and gets one from each at the end. */
#include "../pub/check.h"

#include <time.h>
#include <unistd.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Each sends to some others; its processor 0 says whether there is another superstep. */
static int exchange(t_bsp *part, unsigned superstep, int is_last)
{
    int p = bsp_nprocs(part), s = bsp_pid(part);
    for (int to = 0; s == 0 && to < p; to++) {
        bsp_send(part, to, &is_last, (int)sizeof is_last);
    }
    for (unsigned index = 0; index < superstep % 4; index++) {
        bsp_send(part, (s + 1 + (int)(superstep * 7 + index) % p) % p, &s, (int)sizeof s);
    }
    if (superstep % 64 == 63 && (int)(superstep / 64) % p == s) {
        usleep(100000);
    }
    bsp_sync(part);
    CHECK(bsp_nmsgs(part) == 1 + (int)(superstep % 4));
    return *(int *)bspmsg_data(bsp_findmsg(part, 0, 0));
}

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[2] = {1, p};
    t_bsp part;
    if (p > 1) {
        bsp_partition(bsp, &part, 2, ends);
        double end_s = now_s() + 2;
        for (unsigned superstep = 1; s > 0 && !exchange(&part, superstep, now_s() > end_s); superstep++) {
        }
        bsp_done(&part);
    }
    if (s > 0) {
        bsp_send(bsp, 0, &s, (int)sizeof s);
    }
    bsp_oblsync(bsp, s == 0 ? p - 1 : 0);
}
