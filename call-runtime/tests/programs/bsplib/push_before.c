/* fails with "bsp_push_reg: no BSP machine is in use: the call must stand between bsp_begin and bsp_end":
 * memory is registered before bsp_begin. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int area = 0;
    bsp_push_reg(&area, sizeof area);
    CHECK(area != 0);
    return 0;
}
