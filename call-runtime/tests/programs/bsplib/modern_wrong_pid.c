/* fails with "processor -1 does not exist in a machine of": a number beyond the processors is none. */
#define CLL_BSP_MODERN
#include "check.h"

static void behave(int p, int s)
{
    bsp_send((unsigned)-1, NULL, &s, p > 0 ? sizeof s : 0);
    bsp_sync();
}
