/* fails with "bsp_push_reg: an area of -1 bytes cannot be registered": an area of a negative size. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_push_reg(&p, s < 0 ? 0 : -1);
    bsp_sync();
}
