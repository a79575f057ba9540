/* fails with "bytes" from 2 processors: processors disagree about the size of a broadcast. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    long values[2] = {s, p};
    bsp_bcast(bsp, 0, values, s == 0 ? 8 : 16);
}
