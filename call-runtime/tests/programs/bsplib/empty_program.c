/* ok: a program that begins and ends. */
#include "check.h"

static void behave(int p, int s)
{
    (void)p, (void)s;
}
