/* mpi_end.c: what implementations of MPI make of MPI_Abort. */
#include "mpi_end.h"

#include <mpi.h>

#include <time.h>
#include <unistd.h>

#include "../base/fail.h"
#include "../base/thread.h"

/* Of a duplicate of MPI_COMM_WORLD MPICH waits for ever if the others are in MPI_Finalize. */
void cll_mpi_end_all(void)
{
#ifdef CLL_SMPI
    _exit(CLL_FAILURE_STATUS); /* all processors are in one process, and MPI_Abort would leave the status 0 */
#else
#ifdef MPICH_VERSION
    /* Its mpirun may end before it has passed on what the process said last. */
    struct timespec pause = {0, 50000000};
    nanosleep(&pause, NULL);
#endif
    MPI_Abort(MPI_COMM_WORLD, CLL_FAILURE_STATUS);
#endif
}
