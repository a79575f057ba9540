/* fails with "bsp_time: no BSP machine is in use: the call must stand between bsp_begin and bsp_end": bsp_time before bsp_begin. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    CHECK(bsp_time() < 0);
    return 0;
}
