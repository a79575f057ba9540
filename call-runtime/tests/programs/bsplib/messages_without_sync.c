/* fails with "has messages to processor": messages before bsp_end without a synchronisation are lost. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_send((s + 1) % p, NULL, &s, sizeof s);
}
