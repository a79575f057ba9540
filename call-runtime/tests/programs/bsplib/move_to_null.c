/* fails with "bsp_move: the place for 4 bytes is NULL": a message is moved to nowhere. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
    bsp_sync();
    bsp_move(NULL, sizeof s);
}
