/* fails with "bsp_begin: a program cannot have 0 processors": bsp_begin(0). */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    bsp_begin(0);
    bsp_end();
    return 0;
}
