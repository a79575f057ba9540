/* A file without a `parallel` directive reports. Alone it is sequential and writes a trace; with units_kind.c it is of the kind PUB, and
 * ends with status 2, for there is no machine yet. */
#include <call.h>
#include <stddef.h>

static const cll_unit unit = {"unsaid", "unsaid.c", CLL_UNSAID, 0, NULL};

CLL_REGISTER(unit);

int main(void)
{
    cll_use(&unit, NULL);
    cll_report(&unit, NULL, NULL);
    return 0;
}
