/* mpi_clock_origin.h: the moment from which the times of processors count, the same one for all of a computer. */
#ifndef CLL_BSP_MPI_CLOCK_ORIGIN_H
#define CLL_BSP_MPI_CLOCK_ORIGIN_H

#include <mpi.h>
#include <stdint.h>

/* Called by all of a communicator; returns a new one of those on the computer of this processor. On other computers than that of the first one
 * times count from a later moment than there, so that none lies before it. */
MPI_Comm cll_mpi_clock_origin(MPI_Comm all, uint64_t *origin_ticks);

#endif
