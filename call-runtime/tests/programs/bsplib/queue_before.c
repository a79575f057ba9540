/* fails with "bsp_qsize: no BSP machine is in use: the call must stand between bsp_begin and bsp_end":
 * the queue before bsp_begin. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    int messages, bytes;
    bsp_qsize(&messages, &bytes);
    CHECK(messages < 0);
    return 0;
}
