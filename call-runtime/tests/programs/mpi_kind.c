/* Of the kind MPI, and calls no MPI. With the runtime for one computer: status 2 before main, and the message says what to link with. */
#include <call.h>
#include <stdio.h>

static const cll_unit unit = {"mpi_kind", "mpi_kind.c", CLL_MPI, 0, NULL};

CLL_REGISTER(unit);

int main(void)
{
    printf("main\n");
    return 0;
}
