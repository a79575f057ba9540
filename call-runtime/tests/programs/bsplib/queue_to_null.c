/* fails with "bsp_qsize: the place for the number of messages is NULL": bsp_qsize to nowhere. */
#include "check.h"

static void behave(int p, int s)
{
    (void)p;
    bsp_qsize(NULL, &s);
}
