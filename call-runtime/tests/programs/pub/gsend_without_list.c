/* fails with "bsp_gsend: hand over how many processors get the message, and their numbers":
 * a message to a list that is not there. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    bsp_gsend(bsp, p, NULL, &s, sizeof s);
}
