/* bsplib_between.c: one message each way. */
#include "bsplib_between.h"

#include <stddef.h>
#include <string.h>

#include "../base/fail.h"
#include "../bsp/superstep_records.h"
#include "../program/backend.h"
#include "../program/units.h"
#include "../reporting/report.h"
#include "../saving/saving.h"

/* Of a processor other than 0. */
typedef struct {
    int32_t has_returned;
    int32_t has_rest;
} state_between;

void cll_bsplib_tell_section(cll_machine *all, cll_bsplib_section *next, const char *call)
{
    if (cll_machine_processor(all) != 0) {
        cll_machine_take(all, 0, next, sizeof *next, call);
        return;
    }
    for (int processor = 1; processor < cll_machine_processors(all); processor++) {
        cll_machine_give(all, processor, next, sizeof *next);
    }
}

static int has_rest(void)
{
    return cll_units_first() != NULL && (cll_saving_has_rest() || cll_supersteps_are_there());
}

static void ask_others(cll_machine *all, cll_bsplib_section *next, const char *call)
{
    int returned = 0;
    int others = cll_machine_processors(all) - 1;
    int is_reported = 0; /* what processor 0 has it keeps */
    for (int processor = 1; processor <= others; processor++) {
        state_between its = {0, 0};
        cll_machine_take(all, processor, &its, sizeof its, call);
        returned += its.has_returned;
        is_reported |= its.has_rest;
    }
    if (next->processors > 0 && returned > 0 && returned < others) {
        cll_fail("%s: %d processors have returned from the function given to bsp_init, and the others begin again in it", call, returned);
    }
    next->is_for_others = next->processors > 0 && returned == others;
    next->is_reported = next->is_for_others && others > 0 && is_reported;
}

void cll_bsplib_plan_section(cll_machine *all, cll_bsplib_section *next, int has_returned, const char *call)
{
    if (cll_machine_processor(all) == 0) {
        ask_others(all, next, call);
    } else {
        state_between own = {has_returned, has_rest()};
        cll_machine_give(all, 0, &own, sizeof own);
    }
    cll_bsplib_tell_section(all, next, call);
}

void cll_bsplib_report_rest(const cll_machine *all, const cll_bsplib_section *next)
{
    const cll_backend *backend = cll_backend_in_use();
    int reports_together = strcmp(backend->kind, "BSPlib") == 0;
    if (reports_together ? next->is_reported : cll_machine_processor(all) != 0 && has_rest()) {
        cll_write_report(backend, cll_units_first(), NULL, NULL, NULL);
    }
}
