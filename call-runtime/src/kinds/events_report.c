/* events_report.c: the report of MPI and OpenMP programs that have no directive, at their end, for CALL_EVENTS. */
#include "kinds.h"

#include "../../include/call.h"
#include "../base/host.h"
#include "../events/event_saving.h"
#include "../program/units.h"
#include "../reporting/report.h"

#if defined(__GNUC__)
#ifdef CLL_TRANSPORT_MPI
static const cll_backend *const backend_of_events = &cll_mpi_backend;
static cll_unit with_events = {.source = "?", .kind = CLL_MPI, .events = 1};
#else
static const cll_backend *const backend_of_events = &cll_openmp_backend;
static cll_unit with_events = {.source = "?", .kind = CLL_OPENMP, .events = 1};
#endif

/* A program with directives that has not reported does so under its own name. */
static void report_events(void *caller)
{
    const cll_unit *first = cll_units_first();
    with_events.name = cll_host_program();
    if (first == NULL) {
        cll_backend_choose(backend_of_events);
        cll_units_know(&with_events);
        first = &with_events;
    }
    cll_write_report(backend_of_events, first, NULL, NULL, caller);
}

__attribute__((constructor)) static void offer_events(void)
{
    cll_events_report = report_events;
}
#endif
