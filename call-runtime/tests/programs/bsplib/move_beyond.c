/* fails with "has no message left: the last superstep brought 1": bsp_move beyond the last message. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
    bsp_sync();
    bsp_move(&p, sizeof p);
    bsp_move(&p, sizeof p);
}
