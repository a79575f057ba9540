/* fails with "bsp_begin: the section before has not ended": bsp_begin between bsp_begin and bsp_end. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_begin(p + s);
}
