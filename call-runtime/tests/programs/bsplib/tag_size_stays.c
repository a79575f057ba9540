/* ok: the size of tags stays until it is set anew. */
#include "check.h"

static void behave(int p, int s)
{
    int size = sizeof(int), tag, status;
    bsp_set_tagsize(&size);
    for (int round = 0; round < 5; round++) {
        bsp_sync();
        if (round > 1) {
            bsp_get_tag(&status, &tag);
            CHECK(status == 0 && tag == round - 1);
        }
        bsp_send((s + 1) % p, &round, NULL, 0);
    }
    bsp_sync();
}
