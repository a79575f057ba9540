/* ok: random messages in supersteps some of which one processor begins late, by more than a second. */
#include "../pub/check.h"

#include <unistd.h>

enum { SUPERSTEPS = 40, LATE = 20 };

static unsigned dice(int superstep, int from, int to)
{
    unsigned value = (unsigned)superstep * 2654435761u ^ (unsigned)from * 40503u ^ (unsigned)to * 9973u;
    value ^= value >> 15;
    value *= 2246822519u;
    return value >> 13;
}

static void behave(t_bsp *bsp, int p, int s)
{
    static char bytes[200000];
    for (int superstep = 1; superstep <= SUPERSTEPS; superstep++) {
        int expected = 0;
        if (superstep % LATE == 0 && (int)dice(superstep, 0, 0) % p == s) {
            usleep(1300000);
        }
        for (int other = 0; other < p; other++) {
            unsigned here = dice(superstep, s, other);
            for (unsigned index = 0; index < here % 3; index++) {
                bsp_send(bsp, other, bytes, (int)(here % 8 == 0 ? sizeof bytes : here % 500));
            }
            expected += (int)(dice(superstep, other, s) % 3);
        }
        bsp_oblsync(bsp, expected);
        CHECK(bsp_nmsgs(bsp) == expected);
    }
}
