/* ok: bsp_oblsync for no message waits for nobody. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    t_bsp copy;
    if (s == 0) {
        for (int count = 0; count < 50; count++) {
            bsp_oblsync(bsp, 0);
        }
        bsp_dup(bsp, &copy);
        for (int to = 1; to < p; to++) {
            bsp_send(&copy, to, &s, sizeof s);
        }
        bsp_oblsync(&copy, 0);
        bsp_done(&copy);
    } else {
        /* In the first superstep until processor 0 has ended all. */
        bsp_dup(bsp, &copy);
        bsp_oblsync(&copy, 1);
        bsp_done(&copy);
        for (int count = 0; count < 50; count++) {
            bsp_oblsync(bsp, 0);
        }
    }
}
