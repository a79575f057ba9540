/* fails with "bsp_send: a message of -1 bytes cannot be sent": a message of a negative size. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_send(0, NULL, &p, s < 0 ? 0 : -1);
    bsp_sync();
}
