/* fails with "bsp_send: the data of a message of 4 bytes is NULL": a message from nowhere. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_send(0, NULL, NULL, p > 0 && s >= 0 ? 4 : 0);
    bsp_sync();
}
