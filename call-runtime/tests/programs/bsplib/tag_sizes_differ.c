/* fails with "bsp_set_tagsize: processor" from 2 processors: processors set different tag sizes. */
#include "check.h"

static void behave(int p, int s)
{
    int size = s == p - 1 ? 8 : 4;
    bsp_set_tagsize(&size);
    bsp_sync();
}
