/* backend.c: finds the back end of a program, and does `use` and `sync` with it. */
#include "backend.h"

#include "../base/fail.h"
#include "../measuring/record.h"
#include "../measuring/units.h"

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

const cll_backend *cll_backend_of(const cll_unit *unit)
{
    cll_units_know(unit);
    switch (cll_units_kind()) {
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

void cll_backend_prepare(const cll_unit *unit)
{
    if (unit->kind == CLL_MPI) {
        cll_record_settle_processors = mpi_backend(unit)->settle;
    }
}

void cll_use(const cll_unit *unit, const void *machine)
{
    const cll_backend *backend = cll_backend_of(unit);
    if (backend->use != NULL) {
        backend->use(machine, "use");
    }
}

void cll_sync(const cll_unit *unit, const void *machine)
{
    const cll_backend *backend = cll_backend_of(unit);
    /* What the next measurement would do before its clock starts must not come between the barrier and that. */
    cll_record_prepare();
    if (backend->use != NULL) {
        backend->use(machine, "sync");
    }
    if (backend->barrier != NULL) {
        backend->barrier(machine);
    }
}
