/* mpi_collective_functions.h: collective operations, with counts of one kind; see mpi_counts.h. */

/* What goes to or comes from the other processors, of which each has its count and maybe its type. */
static uint64_t CLL_WITH_SUFFIX(bytes_of_others, CLL_SUFFIX)(const cll_event_collective *its, const CLL_COUNT *counts, MPI_Datatype type,
                                                               const MPI_Datatype *types)
{
    uint64_t bytes = 0;
    if (its->communicator != CLL_NO_COMMUNICATOR) {
        for (int rank = 0; rank <= (int)its->others; rank++) {
            bytes += rank == its->rank ? 0 : cll_event_bytes(counts[rank], types == NULL ? type : types[rank]);
        }
    }
    return bytes;
}

#define BYTES_OF_OTHERS CLL_WITH_SUFFIX(bytes_of_others, CLL_SUFFIX)

COLLECTIVE(Bcast, bcast, CLL_OPERATION_BROADCAST, (void *bytes, CLL_COUNT count, MPI_Datatype type, int root, MPI_Comm communicator),
           (bytes, count, type, root, communicator), root, from_root(&its, COUNTED(count, type)))
COLLECTIVE(Scatter, scatter, CLL_OPERATION_SCATTER,
           (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, CLL_COUNT count, MPI_Datatype type, int root,
            MPI_Comm communicator),
           (sent, send_count, send_type, received, count, type, root, communicator), root,
           from_root(&its, IS_ROOT ? COUNTED(send_count, send_type) : COUNTED(count, type)))
COLLECTIVE(Scatterv, scatterv, CLL_OPERATION_SCATTER,
           (const void *sent, const CLL_COUNT send_counts[], const CLL_PLACE places[], MPI_Datatype send_type, void *received, CLL_COUNT count,
            MPI_Datatype type, int root, MPI_Comm communicator),
           (sent, send_counts, places, send_type, received, count, type, root, communicator), root,
           if (IS_ROOT) its.sent_bytes = BYTES_OF_OTHERS(&its, send_counts, send_type, NULL);
           else its.received_bytes = COUNTED(count, type))
COLLECTIVE(Gather, gather, CLL_OPERATION_GATHER,
           (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, CLL_COUNT count, MPI_Datatype type, int root,
            MPI_Comm communicator),
           (sent, send_count, send_type, received, count, type, root, communicator), root,
           to_root(&its, IS_ROOT ? COUNTED(count, type) : COUNTED(send_count, send_type)))
COLLECTIVE(Gatherv, gatherv, CLL_OPERATION_GATHER,
           (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, const CLL_COUNT counts[], const CLL_PLACE places[],
            MPI_Datatype type, int root, MPI_Comm communicator),
           (sent, send_count, send_type, received, counts, places, type, root, communicator), root,
           if (IS_ROOT) its.received_bytes = BYTES_OF_OTHERS(&its, counts, type, NULL);
           else its.sent_bytes = COUNTED(send_count, send_type))
COLLECTIVE(Reduce, reduce, CLL_OPERATION_REDUCE,
           (const void *sent, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Op combine, int root, MPI_Comm communicator),
           (sent, received, count, type, combine, root, communicator), root, to_root(&its, COUNTED(count, type)))
COLLECTIVE(Allreduce, allreduce, CLL_OPERATION_ALLREDUCE,
           (const void *sent, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, count, type, combine, communicator), -1, both_ways(&its, COUNTED(count, type)))
/* What each one sends is what the others have room for, also with MPI_IN_PLACE. */
COLLECTIVE(Allgather, allgather, CLL_OPERATION_ALLGATHER,
           (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Comm communicator),
           (sent, send_count, send_type, received, count, type, communicator), -1, both_ways(&its, COUNTED(count, type)))
COLLECTIVE(Allgatherv, allgatherv, CLL_OPERATION_ALLGATHER,
           (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, const CLL_COUNT counts[], const CLL_PLACE places[],
            MPI_Datatype type, MPI_Comm communicator),
           (sent, send_count, send_type, received, counts, places, type, communicator), -1,
           if (its.communicator != CLL_NO_COMMUNICATOR)
               all_ways(&its, its.others * COUNTED(counts[its.rank], type), BYTES_OF_OTHERS(&its, counts, type, NULL)))
COLLECTIVE(Alltoall, alltoall, CLL_OPERATION_ALLTOALL,
           (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Comm communicator),
           (sent, send_count, send_type, received, count, type, communicator), -1, both_ways(&its, COUNTED(count, type)))
COLLECTIVE(Alltoallv, alltoallv, CLL_OPERATION_ALLTOALL,
           (const void *sent, const CLL_COUNT send_counts[], const CLL_PLACE send_places[], MPI_Datatype send_type, void *received,
            const CLL_COUNT counts[], const CLL_PLACE places[], MPI_Datatype type, MPI_Comm communicator),
           (sent, send_counts, send_places, send_type, received, counts, places, type, communicator), -1,
           all_ways(&its, sent == MPI_IN_PLACE ? BYTES_OF_OTHERS(&its, counts, type, NULL) : BYTES_OF_OTHERS(&its, send_counts, send_type, NULL),
                    BYTES_OF_OTHERS(&its, counts, type, NULL)))
COLLECTIVE(Alltoallw, alltoallw, CLL_OPERATION_ALLTOALL,
           (const void *sent, const CLL_COUNT send_counts[], const CLL_PLACE send_places[], const MPI_Datatype send_types[], void *received,
            const CLL_COUNT counts[], const CLL_PLACE places[], const MPI_Datatype types[], MPI_Comm communicator),
           (sent, send_counts, send_places, send_types, received, counts, places, types, communicator), -1,
           all_ways(&its,
                    sent == MPI_IN_PLACE ? BYTES_OF_OTHERS(&its, counts, MPI_BYTE, types)
                                         : BYTES_OF_OTHERS(&its, send_counts, MPI_BYTE, send_types),
                    BYTES_OF_OTHERS(&its, counts, MPI_BYTE, types)))
COLLECTIVE(Reduce_scatter, reduce_scatter, CLL_OPERATION_REDUCE_SCATTER,
           (const void *sent, void *received, const CLL_COUNT counts[], MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, counts, type, combine, communicator), -1,
           if (its.communicator != CLL_NO_COMMUNICATOR)
               all_ways(&its, BYTES_OF_OTHERS(&its, counts, type, NULL), its.others * COUNTED(counts[its.rank], type)))
COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, CLL_OPERATION_REDUCE_SCATTER,
           (const void *sent, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, count, type, combine, communicator), -1, both_ways(&its, COUNTED(count, type)))
COLLECTIVE(Scan, scan, CLL_OPERATION_SCAN,
           (const void *sent, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, count, type, combine, communicator), -1, along_ranks(&its, COUNTED(count, type)))
COLLECTIVE(Exscan, exscan, CLL_OPERATION_EXSCAN,
           (const void *sent, void *received, CLL_COUNT count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator),
           (sent, received, count, type, combine, communicator), -1, along_ranks(&its, COUNTED(count, type)))

#undef BYTES_OF_OTHERS
