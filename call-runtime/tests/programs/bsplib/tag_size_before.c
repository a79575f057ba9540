/* fails with "bsp_set_tagsize: no BSP machine is in use: the call must stand between bsp_begin and bsp_end":
 * the size of tags before bsp_begin. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int size = 4;
    bsp_set_tagsize(&size);
    CHECK(size < 0);
    return 0;
}
