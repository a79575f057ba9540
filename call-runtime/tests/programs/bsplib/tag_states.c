/* ok: the tag size that is set holds for messages of the next superstep; the one before is returned. */
#include "check.h"

static void behave(int p, int s)
{
    int size = 4, tag4 = 10 + s, status;
    double tag8 = 0.5 + s, tag = 0;
    int right = (s + 1) % p, left = (s + p - 1) % p;
    bsp_send(right, NULL, &s, sizeof s); /* still without a tag */
    bsp_set_tagsize(&size);
    CHECK(size == 0);
    bsp_sync();
    bsp_get_tag(&status, NULL);
    CHECK(status == (int)sizeof s);
    size = 8;
    bsp_set_tagsize(&size);
    CHECK(size == 4);
    bsp_send(right, &tag4, &s, sizeof s); /* still of 4 bytes */
    bsp_sync();
    bsp_get_tag(&status, &tag4);
    CHECK(status == (int)sizeof s && tag4 == 10 + left);
    bsp_send(right, &tag8, NULL, 0);
    bsp_sync();
    bsp_get_tag(&status, &tag);
    CHECK(status == 0 && tag == 0.5 + left);
}
