/* fails with "bsp_send: the tag is NULL, but the tags of this superstep have 4 bytes": a message without its tag. */
#include "check.h"

static void behave(int p, int s)
{
    int size = 4;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_send(0, NULL, &p, s >= 0 ? 4 : 0);
    bsp_sync();
}
