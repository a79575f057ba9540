/* fails with "has no message left: the last superstep brought 0": bsp_move without a message. */
#include "check.h"

static void behave(int p, int s)
{
    (void)p;
    bsp_move(&s, sizeof s);
}
