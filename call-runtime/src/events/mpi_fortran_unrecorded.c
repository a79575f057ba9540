/* mpi_fortran_unrecorded.c: what Fortran calls and nothing here records, though it would be if C called it. That is said. */
#include "mpi_fortran.h"

#ifdef CLL_WITH_FORTRAN

/* All arguments are addresses, but for the lengths of texts, which come behind them. */
#define A6 a, b, c, d, e, f
#define A9 A6, g, h, i
#define A11 A9, j, k
#define P3 void *a, void *b, void *c
#define P6 P3, void *d, void *e, void *f
#define P9 P6, void *g, void *h, void *i
#define P11 P9, void *j, void *k

#define PROCEDURE(name, second_name, c_name, parameters, arguments)               \
    void second_name parameters __attribute__((weak));                            \
    void name parameters __attribute__((weak));                                   \
    void name parameters                                                          \
    {                                                                             \
        static int is_told = 0;                                                   \
        if (cll_records_events) {                                                 \
            cll_event_tell_unrecorded("MPI_" c_name " of Fortran", &is_told);     \
        }                                                                         \
        second_name arguments;                                                    \
    }

#define UNRECORDED(name, ...) CLL_FORTRAN_OF_BOTH(PROCEDURE, name, __VA_ARGS__)
#if defined(OMPI_MAJOR_VERSION)
#define UNRECORDED_WITH_BUFFER UNRECORDED
#else
#define UNRECORDED_WITH_BUFFER(name, ...)
#endif

UNRECORDED(dist_graph_create, "Dist_graph_create", (P9, void *j), (A9, j))
UNRECORDED(dist_graph_create_adjacent, "Dist_graph_create_adjacent", (P11), (A11))
UNRECORDED(comm_idup, "Comm_idup", (P3, void *d), (a, b, c, d))
UNRECORDED(comm_accept, "Comm_accept", (P6, size_t length), (A6, length))
UNRECORDED(comm_connect, "Comm_connect", (P6, size_t length), (A6, length))
UNRECORDED(comm_spawn, "Comm_spawn", (P9, size_t length, size_t of_each), (A9, length, of_each))
UNRECORDED(comm_spawn_multiple, "Comm_spawn_multiple", (P9, void *j, size_t length, size_t of_each), (A9, j, length, of_each))

UNRECORDED_WITH_BUFFER(alltoallw, "Alltoallw", (P9, void *j), (A9, j))
UNRECORDED_WITH_BUFFER(ialltoallw, "Ialltoallw", (P11), (A11))
UNRECORDED_WITH_BUFFER(neighbor_alltoallw, "Neighbor_alltoallw", (P9, void *j), (A9, j))
UNRECORDED_WITH_BUFFER(ineighbor_alltoallw, "Ineighbor_alltoallw", (P11), (A11))

UNRECORDED(file_open, "File_open", (P6, size_t length), (A6, length))
UNRECORDED(file_close, "File_close", (void *a, void *b), (a, b))
UNRECORDED(file_sync, "File_sync", (void *a, void *b), (a, b))
UNRECORDED(file_set_size, "File_set_size", (P3), (a, b, c))
UNRECORDED(file_set_view, "File_set_view", (P6, void *g, size_t length), (A6, g, length))

#define ON_FILE(name)                                                                       \
    UNRECORDED_WITH_BUFFER(file_read##name, "File_read" #name, (P6), (A6))                  \
    UNRECORDED_WITH_BUFFER(file_write##name, "File_write" #name, (P6), (A6))
#define AT_PLACE(name)                                                                      \
    UNRECORDED_WITH_BUFFER(file_read_at##name, "File_read_at" #name, (P6, void *g), (A6, g)) \
    UNRECORDED_WITH_BUFFER(file_write_at##name, "File_write_at" #name, (P6, void *g), (A6, g))

CLL_FILE_ACCESSES(ON_FILE, AT_PLACE)

#undef A6
#undef A9
#undef A11
#undef P3
#undef P6
#undef P9
#undef P11
#undef PROCEDURE
#undef UNRECORDED
#undef UNRECORDED_WITH_BUFFER
#undef ON_FILE
#undef AT_PLACE
#endif
