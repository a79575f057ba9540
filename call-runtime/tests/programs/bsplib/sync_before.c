/* fails with "bsp_sync: no BSP machine is in use: the call must stand between bsp_begin and bsp_end": bsp_sync before bsp_begin. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int available = bsp_nprocs();
    bsp_sync();
    CHECK(available < 0);
    return 0;
}
