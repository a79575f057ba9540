/* fails with "bsp_sync: no BSP machine is in use: the call must stand between bsp_begin and bsp_end": a call after bsp_end. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_sync();
    return 0;
}
