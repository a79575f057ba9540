/* fails with "bsp_put: no BSP machine is in use: the call must stand between bsp_begin and bsp_end": a put before bsp_begin. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int area = 0;
    bsp_put(0, &area, &area, 0, sizeof area);
    CHECK(area != 0);
    return 0;
}
