/* fails with "bsp_send: processor 9 does not exist in a machine of": a message to a processor that does not exist. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_send(9, NULL, &s, p > 0);
    bsp_sync();
}
