/* mpi_end.h: how a failure of one process ends all processes of MPI. */
#ifndef CLL_MPI_END_H
#define CLL_MPI_END_H

void cll_mpi_end_all(void);

#endif
