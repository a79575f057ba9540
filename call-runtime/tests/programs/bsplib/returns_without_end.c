/* fails with "before bsp_end": main returns on one processor without bsp_end. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    bsp_begin(INT_MAX);
    if (bsp_pid() == bsp_nprocs() - 1) {
        return 0;
    }
    bsp_sync();
    bsp_end();
    return 0;
}
