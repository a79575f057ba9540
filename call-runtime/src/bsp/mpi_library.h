/* mpi_library.h: start and end of MPI, and the name of the library that it is. */
#ifndef CLL_BSP_MPI_LIBRARY_H
#define CLL_BSP_MPI_LIBRARY_H

#include <mpi.h>

/* The processors of the run; MPI_COMM_NULL before it and after it. */
extern MPI_Comm cll_mpi_communicator;

/* Starts MPI if nobody has. */
void cll_mpi_library_start(void);

/* Ends MPI if it was started here and nobody has ended it. */
void cll_mpi_library_end(void);

#endif
