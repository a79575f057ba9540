/* ok: of two sizes of tags in one superstep the last one holds. */
#include "check.h"

static void behave(int p, int s)
{
    int size = 4, status;
    long tag = s;
    bsp_set_tagsize(&size);
    size = sizeof tag;
    bsp_set_tagsize(&size);
    CHECK(size == 4);
    bsp_sync();
    bsp_send((s + 1) % p, &tag, NULL, 0);
    bsp_sync();
    tag = -1;
    bsp_get_tag(&status, &tag);
    CHECK(status == 0 && tag == (s + p - 1) % p);
    size = 0;
    bsp_set_tagsize(&size);
    CHECK(size == (int)sizeof tag);
    bsp_sync();
    bsp_send((s + 1) % p, NULL, NULL, 0);
    bsp_sync();
    bsp_get_tag(&status, NULL);
    CHECK(status == 0);
}
