/* fails with "bsp_pid: no BSP machine is in use: the call must stand between bsp_begin and bsp_end": a call before bsp_begin. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    return bsp_pid();
}
