/* fails with "bsp_set_tagsize: hand over the address of a size that is not negative": a tag of a negative size. */
#include "check.h"

static void behave(int p, int s)
{
    int size = p < 0 ? s : -1;
    bsp_set_tagsize(&size);
    bsp_sync();
}
