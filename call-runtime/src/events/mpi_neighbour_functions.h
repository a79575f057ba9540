/* mpi_neighbour_functions.h: operations between the neighbours of a processor, with counts of one kind; see mpi_counts.h. */
#define PLAIN(...) __VA_ARGS__

#define BETWEEN_NEIGHBOURS(name, parameters, arguments)                                                       \
    CLL_COUNTED(Neighbor_##name, (PLAIN parameters), (PLAIN arguments), CLL_NO_MORE, CLL_NO_MORE)                                                    \
    CLL_COUNTED(Ineighbor_##name, (PLAIN parameters, MPI_Request *request), (PLAIN arguments, request), CLL_NO_MORE, \
                 cll_event_begun_untold(request))

BETWEEN_NEIGHBOURS(allgather,
                   (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Comm in),
                   (sent, send_count, send_type, received, count, type, in))
BETWEEN_NEIGHBOURS(allgatherv,
                   (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, const CLL_COUNT counts[], const CLL_PLACE places[],
                    MPI_Datatype type, MPI_Comm in),
                   (sent, send_count, send_type, received, counts, places, type, in))
BETWEEN_NEIGHBOURS(alltoall,
                   (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Comm in),
                   (sent, send_count, send_type, received, count, type, in))
BETWEEN_NEIGHBOURS(alltoallv,
                   (const void *sent, const CLL_COUNT send_counts[], const CLL_PLACE send_places[], MPI_Datatype send_type, void *received,
                    const CLL_COUNT counts[], const CLL_PLACE places[], MPI_Datatype type, MPI_Comm in),
                   (sent, send_counts, send_places, send_type, received, counts, places, type, in))
BETWEEN_NEIGHBOURS(alltoallw,
                   (const void *sent, const CLL_COUNT send_counts[], const MPI_Aint send_places[], const MPI_Datatype send_types[], void *received,
                    const CLL_COUNT counts[], const MPI_Aint places[], const MPI_Datatype types[], MPI_Comm in),
                   (sent, send_counts, send_places, send_types, received, counts, places, types, in))

#undef PLAIN
#undef BETWEEN_NEIGHBOURS
