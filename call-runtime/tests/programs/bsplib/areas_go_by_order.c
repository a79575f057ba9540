/* ok: an area is known by the order of registration, not by its address. */
#include "check.h"

static void behave(int p, int s)
{
    int first = -1, second = -1, value = s;
    /* even and odd processors use their variables the other way round */
    bsp_push_reg(s % 2 == 0 ? &first : &second, sizeof(int));
    bsp_push_reg(s % 2 == 0 ? &second : &first, sizeof(int));
    bsp_sync();
    bsp_put((s + 1) % p, &value, s % 2 == 0 ? &first : &second, 0, sizeof value);
    bsp_sync();
    int left = (s + p - 1) % p;
    CHECK(first == (s % 2 == 0 ? left : -1));
    CHECK(second == (s % 2 == 0 ? -1 : left));
}
