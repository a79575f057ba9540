/* fails with "bsp_hpput: -1 bytes at offset 0: neither can be negative": an unbuffered put of a negative number of bytes. */
#include "check.h"

static void behave(int p, int s)
{
    (void)p;
    bsp_hpput(0, &s, &s, 0, -1);
}
