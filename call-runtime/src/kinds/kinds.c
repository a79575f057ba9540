/* kinds.c: finds the back end of a program, and does `use`, `sync` and `report` with it. */
#include "kinds.h"

#include "../../include/call.h"
#include "../base/fail.h"
#include "../bsp/call_sites.h"
#include "../events/event_blocks.h"
#include "../measuring/measurement.h"
#include "../measuring/room.h"
#include "../program/units.h"
#include "../reporting/report.h"

static const cll_backend *mpi_backend(const cll_unit *unit)
{
#ifdef CLL_TRANSPORT_MPI
    (void)unit;
    return &cll_mpi_backend;
#else
    cll_fail("%s is of the kind MPI, but the program was linked with the runtime for one computer: compile it with mpicc and link "
             "with `call libs --mpi`",
             unit->source);
#endif
}

static const cll_backend *backend_of_kind(const cll_unit *unit)
{
    switch (unit->kind) {
    case CLL_UNSAID:
    case CLL_SEQUENTIAL:
        return &cll_sequential_backend;
    case CLL_PUB:
        return &cll_pub_backend;
    case CLL_BSPLIB:
        return &cll_bsplib_backend;
    case CLL_MPI:
        return mpi_backend(unit);
    case CLL_OPENMP:
        return &cll_openmp_backend;
    }
    cll_fail("%s was translated for a kind of program that this runtime does not know: translate it with the `call` of this runtime",
             unit->source);
}

/* Before others see the unit. */
static void choose_backend(const cll_unit *unit)
{
    if (unit->kind != CLL_UNSAID) {
        const cll_backend *backend = backend_of_kind(unit);
        cll_backend_choose(backend);
        cll_record_settle_processors = backend->settle;
        cll_record_find_team = backend->find_team;
    }
}

void cll_register(cll_registration *registration)
{
    choose_backend(registration->unit);
    cll_units_add(registration);
}

static const cll_backend *backend_of(const cll_unit *unit)
{
    if (!cll_units_have(unit)) {
        choose_backend(unit);
        cll_units_know(unit);
    }
    return cll_backend_in_use();
}

CLL_PER_THREAD cll_call_place cll_called_at;

void cll_use_at(const cll_unit *unit, const void *machine, const char *file, int line)
{
    const cll_backend *backend = backend_of(unit);
    cll_called_at = (cll_call_place){"use", unit, file, line};
    if (backend->use != NULL) {
        backend->use(machine, "use");
    }
}

void cll_use(const cll_unit *unit, const void *machine)
{
    cll_use_at(unit, machine, NULL, 0);
}

void cll_use_team(int threads)
{
    const cll_backend *backend = cll_backend_in_use();
    if (backend->use_team != NULL) {
        backend->use_team(threads);
    }
}

static void synchronise(const cll_unit *unit, const void *machine, const cll_call_place *place, void *caller)
{
    const cll_backend *backend = backend_of(unit);
    cll_called_at = *place;
    /* What the next measurement would do before its clock starts must not come between the barrier and that. */
    cll_record_prepare();
    if (backend->use != NULL) {
        backend->use(machine, "sync");
    }
    if (backend->barrier != NULL) {
        cll_event_barrier_caller = caller;
        backend->barrier(machine);
        cll_event_barrier_caller = NULL;
    }
}

void cll_sync(const cll_unit *unit, const void *machine)
{
    synchronise(unit, machine, &(cll_call_place){"sync", unit, NULL, 0}, CLL_CALLER);
}

void cll_sync_at(const cll_unit *unit, const void *machine, const char *file, int line)
{
    synchronise(unit, machine, &(cll_call_place){"sync", unit, file, line}, CLL_CALLER);
}

static void write_report(const cll_unit *unit, const void *machine, const char *names, const cll_call_place *place, void *caller)
{
    const cll_backend *backend = backend_of(unit);
    cll_called_at = *place;
#ifdef CLL_TRANSPORT_MPI
    if (backend == &cll_sequential_backend) {
        cll_mpi_tell_unsaid();
    }
#endif
    cll_write_report(backend, unit, machine, names, caller);
    if (backend == &cll_openmp_backend) {
        cll_openmp_tell_teams();
    }
}

void cll_report(const cll_unit *unit, const void *machine, const char *names)
{
    write_report(unit, machine, names, &(cll_call_place){"report", unit, NULL, 0}, CLL_CALLER);
}

void cll_report_at(const cll_unit *unit, const void *machine, const char *names, const char *file, int line)
{
    write_report(unit, machine, names, &(cll_call_place){"report", unit, file, line}, CLL_CALLER);
}
