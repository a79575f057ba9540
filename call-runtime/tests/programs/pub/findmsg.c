/* ok: bsp_findmsg counts the messages of each sender; NULL if there is none. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int number = 0; number <= s; number++) {
        bsp_send(bsp, 0, &number, sizeof number);
    }
    bsp_sync(bsp);
    for (int from = 0; from < p; from++) {
        int count = s == 0 ? from + 1 : 0;
        for (int index = 0; index < count; index++) {
            t_bspmsg *message = bsp_findmsg(bsp, from, index);
            CHECK(message != NULL && bspmsg_src(message) == from);
            CHECK(*(int *)bspmsg_data(message) == index);
        }
        CHECK(bsp_findmsg(bsp, from, count) == NULL && bsp_findmsg(bsp, from, -1) == NULL);
    }
}
