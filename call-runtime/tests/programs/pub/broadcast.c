/* ok: bsp_bcast brings the data of any processor to all. */
#include "check.h"

static void behave(t_bsp *bsp, int p, int s)
{
    for (int root = 0; root < p; root++) {
        long values[3] = {s, s + 1, s + 2};
        bsp_bcast(bsp, root, values, sizeof values);
        CHECK(values[0] == root && values[1] == root + 1 && values[2] == root + 2);
    }
    bsp_bcast(bsp, p - 1, NULL, 0);
}
