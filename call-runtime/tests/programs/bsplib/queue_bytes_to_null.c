/* fails with "bsp_qsize: the place for the number of bytes is NULL": bsp_qsize of BSPlib, whose numbers are int, asks for both. */
#include "check.h"

static void behave(int p, int s)
{
    (void)p;
    bsp_qsize(&s, NULL);
}
