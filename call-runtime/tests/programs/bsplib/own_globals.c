/* ok: each processor has variables of its own. */
#include "check.h"

static void behave(int p, int s)
{
    static int counter = 0;
    int sum = 0, one = 0;
    counter += s + 1;
    bsp_push_reg(&sum, sizeof sum);
    bsp_sync();
    bsp_get((s + 1) % p, &sum, 0, &one, sizeof one);
    bsp_sync();
    CHECK(counter == s + 1 && sum == 0 && one == 0);
}
