/* fails with "bsp_get_tag: the place for the status is NULL": bsp_get_tag without a place for the status. */
#include "check.h"

static void behave(int p, int s)
{
    (void)p;
    bsp_get_tag(NULL, &s);
}
