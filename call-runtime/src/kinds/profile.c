/* profile.c: the report of BSP programs that have no directive, at their end, for CALL_PROFILE. */
#include "kinds.h"

#include "../../include/call.h"
#include "../base/host.h"
#include "../bsp/supersteps.h"
#include "../program/units.h"
#include "../reporting/report.h"

#if defined(__GNUC__)
static cll_unit profiled = {.source = "?", .supersteps = 1};

/* A program with directives says itself what it reports, and when. */
static int report_profile(cll_kind kind, void *caller)
{
    const cll_unit *first = cll_units_first();
    if (first != NULL && first != &profiled) {
        return 0;
    }
    const cll_backend *backend = kind == CLL_PUB ? &cll_pub_backend : &cll_bsplib_backend;
    profiled.name = cll_host_program();
    profiled.kind = kind;
    cll_backend_choose(backend);
    if (first == NULL) {
        cll_units_know(&profiled);
    }
    cll_write_report(backend, &profiled, NULL, NULL, caller);
    return 1;
}

__attribute__((constructor)) static void offer_profile(void)
{
    cll_superstep_report = report_profile;
}
#endif
