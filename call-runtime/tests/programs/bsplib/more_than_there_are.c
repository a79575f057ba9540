/* ok: bsp_begin for more processors than there are takes those. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int available = bsp_nprocs();
    bsp_begin(available + 7);
    int s = bsp_pid();
    CHECK(bsp_nprocs() == available);
    bsp_end();
    if (s == 0) {
        puts("ok");
    }
    return 0;
}
