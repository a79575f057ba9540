/* fails with "bsp_send: processor 1 does not exist in a machine of 1 processors": a part knows only its own processors. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    int ends[64];
    t_bsp part;
    for (int index = 0; index < p; index++) {
        ends[index] = index + 1;
    }
    bsp_partition(bsp, &part, p, ends);
    bsp_send(&part, 1, &s, sizeof s);
}
