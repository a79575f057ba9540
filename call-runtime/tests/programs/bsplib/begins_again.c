/* fails with "bsp_begin: a program begins once, and this is the second time": bsp_begin after bsp_end. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_begin(1);
    return 0;
}
