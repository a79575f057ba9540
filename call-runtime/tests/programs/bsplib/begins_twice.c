/* fails with "bsp_begin: a program begins once, and this is the second time": bsp_begin between bsp_begin and bsp_end. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_begin(p + s);
}
