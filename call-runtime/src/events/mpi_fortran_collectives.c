/* mpi_fortran_collectives.c: Fortran's collective operations; what makes and frees communicators. */
#include "mpi_fortran.h"

#ifdef CLL_WITH_FORTRAN
#define F MPI_Fint
#define PLAIN(...) __VA_ARGS__
#define IN PMPI_Comm_f2c(*in)

#define SENT cll_fortran_data(sent), *send_count, PMPI_Type_f2c(*send_type)
#define SENT_EACH cll_fortran_data(sent), send_counts, send_places, PMPI_Type_f2c(*send_type)
#define RECEIVED cll_fortran_data(bytes), *count, PMPI_Type_f2c(*type)
#define RECEIVED_EACH cll_fortran_data(bytes), counts, places, PMPI_Type_f2c(*type)
#define COMBINED cll_fortran_data(sent), cll_fortran_data(bytes), *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*combine)

/* Each with its form that does not wait. */
#define COLLECTIVE(name, c_name, parameters, arguments, c_arguments)                                            \
    CLL_FORTRAN_WITH_BUFFER(name, (PLAIN parameters, F *in, F *error), (PLAIN arguments, in, error),            \
                            *error = MPI_##c_name(PLAIN c_arguments, IN))                                       \
    CLL_FORTRAN_WITH_BUFFER(i##name, (PLAIN parameters, F *in, F *request, F *error), (PLAIN arguments, in, request, error), \
                            CLL_FORTRAN_BEGUN(MPI_I##name(PLAIN c_arguments, IN, handle)))

CLL_FORTRAN(barrier, (F *in, F *error), (in, error), *error = MPI_Barrier(IN))
CLL_FORTRAN(ibarrier, (F *in, F *request, F *error), (in, request, error), CLL_FORTRAN_BEGUN(MPI_Ibarrier(IN, handle)))
COLLECTIVE(bcast, Bcast, (void *bytes, F *count, F *type, F *root), (bytes, count, type, root), (RECEIVED, *root))
COLLECTIVE(scatter, Scatter, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type, F *root),
           (sent, send_count, send_type, bytes, count, type, root), (SENT, RECEIVED, *root))
COLLECTIVE(gather, Gather, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type, F *root),
           (sent, send_count, send_type, bytes, count, type, root), (SENT, RECEIVED, *root))
COLLECTIVE(allgather, Allgather, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type),
           (sent, send_count, send_type, bytes, count, type), (SENT, RECEIVED))
COLLECTIVE(alltoall, Alltoall, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type),
           (sent, send_count, send_type, bytes, count, type), (SENT, RECEIVED))
COLLECTIVE(reduce, Reduce, (void *sent, void *bytes, F *count, F *type, F *combine, F *root), (sent, bytes, count, type, combine, root),
           (COMBINED, *root))
COLLECTIVE(allreduce, Allreduce, (void *sent, void *bytes, F *count, F *type, F *combine), (sent, bytes, count, type, combine), (COMBINED))
COLLECTIVE(scan, Scan, (void *sent, void *bytes, F *count, F *type, F *combine), (sent, bytes, count, type, combine), (COMBINED))
COLLECTIVE(exscan, Exscan, (void *sent, void *bytes, F *count, F *type, F *combine), (sent, bytes, count, type, combine), (COMBINED))
COLLECTIVE(reduce_scatter_block, Reduce_scatter_block, (void *sent, void *bytes, F *count, F *type, F *combine),
           (sent, bytes, count, type, combine), (COMBINED))
COLLECTIVE(reduce_scatter, Reduce_scatter, (void *sent, void *bytes, F *counts, F *type, F *combine),
           (sent, bytes, counts, type, combine),
           (cll_fortran_data(sent), cll_fortran_data(bytes), counts, PMPI_Type_f2c(*type), PMPI_Op_f2c(*combine)))
COLLECTIVE(scatterv, Scatterv, (void *sent, F *send_counts, F *send_places, F *send_type, void *bytes, F *count, F *type, F *root),
           (sent, send_counts, send_places, send_type, bytes, count, type, root), (SENT_EACH, RECEIVED, *root))
COLLECTIVE(gatherv, Gatherv, (void *sent, F *send_count, F *send_type, void *bytes, F *counts, F *places, F *type, F *root),
           (sent, send_count, send_type, bytes, counts, places, type, root), (SENT, RECEIVED_EACH, *root))
COLLECTIVE(allgatherv, Allgatherv, (void *sent, F *send_count, F *send_type, void *bytes, F *counts, F *places, F *type),
           (sent, send_count, send_type, bytes, counts, places, type), (SENT, RECEIVED_EACH))
COLLECTIVE(alltoallv, Alltoallv,
           (void *sent, F *send_counts, F *send_places, F *send_type, void *bytes, F *counts, F *places, F *type),
           (sent, send_counts, send_places, send_type, bytes, counts, places, type), (SENT_EACH, RECEIVED_EACH))

/* Between the neighbours in a graph. */
COLLECTIVE(neighbor_allgather, Neighbor_allgather, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type),
           (sent, send_count, send_type, bytes, count, type), (SENT, RECEIVED))
COLLECTIVE(neighbor_alltoall, Neighbor_alltoall, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type),
           (sent, send_count, send_type, bytes, count, type), (SENT, RECEIVED))
COLLECTIVE(neighbor_allgatherv, Neighbor_allgatherv, (void *sent, F *send_count, F *send_type, void *bytes, F *counts, F *places, F *type),
           (sent, send_count, send_type, bytes, counts, places, type), (SENT, RECEIVED_EACH))
COLLECTIVE(neighbor_alltoallv, Neighbor_alltoallv,
           (void *sent, F *send_counts, F *send_places, F *send_type, void *bytes, F *counts, F *places, F *type),
           (sent, send_counts, send_places, send_type, bytes, counts, places, type), (SENT_EACH, RECEIVED_EACH))

#define MAKING(name, parameters, arguments, call)                                                               \
    CLL_FORTRAN(name, (PLAIN parameters, F *made, F *error), (PLAIN arguments, made, error), MPI_Comm its = MPI_COMM_NULL; \
                *error = call; *made = PMPI_Comm_c2f(its))

MAKING(comm_dup, (F *in), (in), MPI_Comm_dup(IN, &its))
MAKING(comm_dup_with_info, (F *in, F *info), (in, info), MPI_Comm_dup_with_info(IN, PMPI_Info_f2c(*info), &its))
MAKING(comm_split, (F *in, F *colour, F *key), (in, colour, key), MPI_Comm_split(IN, *colour, *key, &its))
MAKING(comm_split_type, (F *in, F *type, F *key, F *info), (in, type, key, info),
       MPI_Comm_split_type(IN, *type, *key, PMPI_Info_f2c(*info), &its))
MAKING(comm_create, (F *in, F *group), (in, group), MPI_Comm_create(IN, PMPI_Group_f2c(*group), &its))
MAKING(comm_create_group, (F *in, F *group, F *tag), (in, group, tag), MPI_Comm_create_group(IN, PMPI_Group_f2c(*group), *tag, &its))
MAKING(cart_create, (F *in, F *dimensions, F *sizes, F *periods, F *reorder), (in, dimensions, sizes, periods, reorder),
       MPI_Cart_create(IN, *dimensions, sizes, periods, *reorder, &its))
MAKING(cart_sub, (F *in, F *kept), (in, kept), MPI_Cart_sub(IN, kept, &its))
MAKING(graph_create, (F *in, F *nodes, F *indices, F *edges, F *reorder), (in, nodes, indices, edges, reorder),
       MPI_Graph_create(IN, *nodes, indices, edges, *reorder, &its))
MAKING(intercomm_merge, (F *in, F *is_high), (in, is_high), MPI_Intercomm_merge(IN, *is_high, &its))
MAKING(intercomm_create, (F *in, F *leader, F *between, F *other, F *tag), (in, leader, between, other, tag),
       MPI_Intercomm_create(IN, *leader, PMPI_Comm_f2c(*between), *other, *tag, &its))
MAKING(comm_join, (F *socket), (socket), MPI_Comm_join(*socket, &its))

#define FREEING(name, c_name) \
    CLL_FORTRAN(name, (F *in, F *error), (in, error), MPI_Comm its = IN; *error = MPI_##c_name(&its); *in = PMPI_Comm_c2f(its))
FREEING(comm_free, Comm_free)
FREEING(comm_disconnect, Comm_disconnect)

#undef F
#undef PLAIN
#undef IN
#undef COLLECTIVE
#undef SENT
#undef SENT_EACH
#undef RECEIVED
#undef RECEIVED_EACH
#undef COMBINED
#undef MAKING
#undef FREEING
#endif
