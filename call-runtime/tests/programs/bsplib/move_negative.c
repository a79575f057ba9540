/* fails with "bsp_move: -1 bytes cannot be copied": a negative number of bytes is moved. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
    bsp_sync();
    bsp_move(&s, -1);
}
