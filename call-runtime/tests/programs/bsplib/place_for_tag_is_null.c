/* fails with "bsp_get_tag: the place for a tag of 4 bytes is NULL": bsp_get_tag without a place for the tag. */
#include "check.h"

static void behave(int p, int s)
{
    int size = 4, status;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_send((s + 1) % p, &s, NULL, 0);
    bsp_sync();
    bsp_get_tag(&status, NULL);
}
