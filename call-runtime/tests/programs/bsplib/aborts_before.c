/* fails with "stop 7 x 0.25": bsp_abort before bsp_begin, with all sorts of conversions. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    bsp_abort("stop %d %s %.2f\n", 7, "x", 0.25);
}
