/* fails with "called it in superstep 1, and processor" from 2 processors: one processor sets a tag size, the others do not. */
#include "check.h"

static void behave(int p, int s)
{
    int size = 8;
    if (s == p - 1) {
        bsp_set_tagsize(&size);
    }
    bsp_sync();
}
