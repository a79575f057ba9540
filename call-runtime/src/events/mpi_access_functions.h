/* mpi_access_functions.h: what goes to the memory of others and comes from it, with counts of one kind; see mpi_counts.h. */
#define PLAIN(...) __VA_ARGS__

/* Each with its form that gives a request, of which nothing is told. */
#define ACCESS(name, small_name, parameters, arguments, sent_bytes, received_bytes)                                              \
    CLL_COUNTED(name, (PLAIN parameters), (PLAIN arguments), record_access(window, rank, sent_bytes, received_bytes), CLL_NO_MORE) \
    CLL_COUNTED(R##small_name, (PLAIN parameters, MPI_Request *request), (PLAIN arguments, request),                            \
                 record_access(window, rank, sent_bytes, received_bytes), cll_event_begun_untold(request))

ACCESS(Put, put,
       (const void *bytes, CLL_COUNT count, MPI_Datatype type, int rank, MPI_Aint place, CLL_COUNT its_count, MPI_Datatype its_type, MPI_Win window),
       (bytes, count, type, rank, place, its_count, its_type, window), cll_event_bytes(count, type), 0)
ACCESS(Get, get,
       (void *bytes, CLL_COUNT count, MPI_Datatype type, int rank, MPI_Aint place, CLL_COUNT its_count, MPI_Datatype its_type, MPI_Win window),
       (bytes, count, type, rank, place, its_count, its_type, window), 0, cll_event_bytes(count, type))
ACCESS(Accumulate, accumulate,
       (const void *bytes, CLL_COUNT count, MPI_Datatype type, int rank, MPI_Aint place, CLL_COUNT its_count, MPI_Datatype its_type, MPI_Op combine,
        MPI_Win window),
       (bytes, count, type, rank, place, its_count, its_type, combine, window), cll_event_bytes(count, type), 0)
ACCESS(Get_accumulate, get_accumulate,
       (const void *bytes, CLL_COUNT count, MPI_Datatype type, void *fetched, CLL_COUNT fetched_count, MPI_Datatype fetched_type, int rank, MPI_Aint place,
        CLL_COUNT its_count, MPI_Datatype its_type, MPI_Op combine, MPI_Win window),
       (bytes, count, type, fetched, fetched_count, fetched_type, rank, place, its_count, its_type, combine, window),
       combined_bytes(combine, count, type), cll_event_bytes(fetched_count, fetched_type))

#undef PLAIN
#undef ACCESS
