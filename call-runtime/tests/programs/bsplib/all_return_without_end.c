/* fails with "before bsp_end": main returns on all processors without bsp_end. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    bsp_begin(INT_MAX);
    bsp_sync();
    return bsp_pid() < 0;
}
