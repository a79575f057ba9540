/* fails with "bsp_init: the function that all processors execute returned on processor" from 2 processors:
 * the function given to bsp_init does not begin on all processors. */
#define WITH_MAIN
#include "check.h"

static int is_first = 0;

static void spmd(void)
{
    if (is_first) {
        is_first = 0;
        bsp_begin(bsp_nprocs());
        bsp_sync();
        bsp_end();
    }
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    is_first = 1;
    spmd();
    return 0;
}
