/* Of the kind BSPlib, argument CALL: status 2, for this runtime has no BSPlib. */
#include <call.h>
#include <string.h>

static const cll_unit unit = {"bsplib_kind", "bsplib_kind.c", CLL_BSPLIB, 0, 0};

CLL_REGISTER(unit);

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "use") == 0) {
        cll_use(&unit, 0);
    } else if (argc > 1 && strcmp(argv[1], "sync") == 0) {
        cll_sync(&unit, 0);
    } else if (argc > 1) {
        cll_report(&unit, 0, 0);
    }
    return 0;
}
