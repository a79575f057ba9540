/* fails with "bsp_end: no BSP machine is in use: the call must stand between bsp_begin and bsp_end": bsp_end without bsp_begin. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int available = bsp_nprocs();
    bsp_end();
    CHECK(available < 0);
    return 0;
}
