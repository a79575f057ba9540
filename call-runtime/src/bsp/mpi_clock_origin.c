#include "mpi_clock_origin.h"

#include "../base/clock.h"

#ifndef CLL_SMPI

MPI_Comm cll_mpi_clock_origin(MPI_Comm all, uint64_t *origin_ticks)
{
    MPI_Comm neighbours = MPI_COMM_NULL;
    int rank = 0;
    PMPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &neighbours);
    PMPI_Comm_rank(all, &rank);
    if (rank == 0) {
        *origin_ticks = cll_clock_begin();
    }
    PMPI_Barrier(all);
    if (rank != 0) {
        *origin_ticks = cll_clock_begin();
    }
    PMPI_Bcast(origin_ticks, (int)sizeof *origin_ticks, MPI_BYTE, 0, neighbours);
    return neighbours;
}

#endif
