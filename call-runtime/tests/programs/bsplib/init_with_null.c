/* fails with "bsp_init: the function that all processors execute is NULL": bsp_init without a function. */
#define WITH_MAIN
#include "check.h"

int main(int argc, char **argv)
{
    bsp_init(NULL, argc, argv);
    CHECK(argc < 0);
    return 0;
}
