/* Argument `sync` or `report`, 2 processors: processor 0 calls that of the runtime, processor 1 goes on to bsp_sync; status 2. */
#include <bsp.h>
#include <call.h>
#include <string.h>

static const cll_unit unit = {"bsplib_apart", "bsplib_apart.c", CLL_BSPLIB, 0, 0};

int main(int argc, char **argv)
{
    bsp_begin(2);
    bsp_sync();
    if (bsp_pid() == 0 && argc > 1 && strcmp(argv[1], "sync") == 0) {
        cll_sync(&unit, 0);
    } else if (bsp_pid() == 0) {
        cll_report(&unit, 0, 0);
    }
    bsp_sync();
    bsp_end();
    return 0;
}
