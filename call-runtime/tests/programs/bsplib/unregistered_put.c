/* fails with "is not registered on processor": a put to an address that was not registered. */
#include "check.h"

static void behave(int p, int s)
{
    int area = s, value = p;
    bsp_put(0, &value, &area, 0, sizeof value);
    bsp_sync();
}
