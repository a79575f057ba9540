/* backend.c: finds the back end of a program, and the barrier of its `sync` clauses. */
#include "backend.h"

#include "fail.h"
#include "record.h"

const cll_backend *cll_backend_of(const cll_program *program)
{
    switch (program->kind) {
    case CLL_SEQUENTIAL:
        return &cll_sequential_backend;
    case CLL_PUB:
        return &cll_pub_backend;
    }
    cll_fail("%s was translated for a kind of program that this runtime does not know: translate it with the `call` of this runtime",
             program->source);
}

void cll_sync(const cll_program *program, const void *machine)
{
    /* What the next measurement would do before its clock starts must not come between the barrier and that. */
    cll_record_prepare();
    cll_backend_of(program)->barrier(machine);
}
