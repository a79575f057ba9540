/* fails with "bsp_begin: a program cannot have -3 processors": bsp_begin for a negative number. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    bsp_begin(-3);
    CHECK(bsp_pid() < 0);
    bsp_end();
    return 0;
}
