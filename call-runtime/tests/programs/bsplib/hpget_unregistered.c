/* fails with "is not registered on processor": an unbuffered get from memory that was not registered. */
#include "check.h"

static void behave(int p, int s)
{
    int value = p;
    bsp_hpget(0, &s, 0, &value, sizeof value);
    bsp_sync();
}
