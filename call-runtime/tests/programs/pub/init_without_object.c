/* fails with "bsplib_init: hand over BSPLIB_STDPARAMS and the address of a t_bsp": bsplib_init for nothing. */
#define WITH_MAIN
#include "check.h"

int main(void)
{
    own_number = 0;
    bsplib_init(BSPLIB_STDPARAMS, NULL);
    CHECK(own_number < 0);
    return 0;
}
