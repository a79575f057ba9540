/* ok: outside of bsp_begin and bsp_end bsp_nprocs is the number of processors that there are. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int available = bsp_nprocs();
    bsp_begin(available);
    int p = bsp_nprocs(), s = bsp_pid();
    CHECK(p == available);
    bsp_end();
    if (s == 0 && bsp_nprocs() == available) {
        puts("ok");
    }
    return 0;
}
