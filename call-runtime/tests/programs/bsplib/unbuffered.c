/* ok: bsp_hpput and bsp_hpget move data like their buffered twins. */
#include "check.h"

static void behave(int p, int s)
{
    int source[3] = {s, s + 1, s + 2}, target[3] = {-1, -1, -1}, copy = -1;
    bsp_push_reg(target, sizeof target);
    bsp_push_reg(source, sizeof source);
    bsp_sync();
    bsp_hpput((s + 1) % p, source, target, sizeof(int), 2 * sizeof(int));
    bsp_hpget((s + 1) % p, source, 2 * sizeof(int), &copy, sizeof copy);
    bsp_sync();
    int left = (s + p - 1) % p;
    CHECK(target[0] == -1 && target[1] == left && target[2] == left + 1);
    CHECK(copy == (s + 1) % p + 2);
}
