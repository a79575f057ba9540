/* ok: bsp_time starts near 0 and never goes back. */
#include "check.h"

static void behave(int p, int s)
{
    double first = bsp_time(), last = first;
    CHECK(first >= 0 && first < 60);
    for (int step = 0; step < 1000; step++) {
        double now = bsp_time();
        CHECK(now >= last);
        last = now;
    }
    CHECK(p > 0 && s >= 0);
}
