/* bsplib_rest.c: later reports could not have it, as they are of the processors that there are then. */
#include "bsplib_rest.h"

#include <stddef.h>
#include <string.h>

#include "../bsp/superstep_records.h"
#include "../program/backend.h"
#include "../program/units.h"
#include "../reporting/report.h"
#include "../saving/saving.h"

int cll_bsplib_has_rest(void)
{
    return cll_units_first() != NULL && (cll_saving_has_rest() || cll_supersteps_are_there());
}

void cll_bsplib_report_rest(int is_together, int processor)
{
    const cll_backend *backend = cll_backend_in_use();
    int reports_together = strcmp(backend->kind, "BSPlib") == 0;
    if (reports_together ? is_together : processor != 0 && cll_bsplib_has_rest()) {
        cll_write_report(backend, cll_units_first(), NULL, NULL, NULL);
    }
}
