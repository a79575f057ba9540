/* ok: bsp_begin takes as many processors as processor 0 says, and not more than there are. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int available = bsp_nprocs();
    bsp_begin(2);
    int p = bsp_nprocs(), s = bsp_pid(), value = s, from = -1;
    CHECK(p == (available < 2 ? available : 2));
    CHECK(s < p);
    bsp_push_reg(&from, sizeof from);
    bsp_sync();
    bsp_put((s + 1) % p, &value, &from, 0, sizeof value);
    bsp_sync();
    CHECK(from == (s + p - 1) % p);
    bsp_end();
    if (s == 0) {
        puts("ok");
    }
    return 0;
}
