/* Of the kind BSPlib, argument CALL, outside of bsp_begin and bsp_end: `use` does nothing, `sync` and `report` end with status 2. */
#include <call.h>
#include <string.h>

static const cll_unit unit = {"bsplib_kind", "bsplib_kind.c", CLL_BSPLIB, 0, 0};

CLL_REGISTER(unit);

int main(int argc, char **argv)
{
    const char *call = argc > 1 ? argv[1] : "none";
    if (strcmp(call, "use") == 0) {
        cll_use(&unit, 0);
    } else if (strcmp(call, "sync") == 0) {
        cll_sync(&unit, 0);
    } else if (strcmp(call, "report") == 0) {
        cll_report(&unit, 0, 0);
    }
    return 0;
}
