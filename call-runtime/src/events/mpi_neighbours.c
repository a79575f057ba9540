/* mpi_neighbours.c: operations between the neighbours of a processor in a graph, and those on files. Their calls are recorded, and not who
 * waits for whom in them. */
#include "mpi_requests.h"
#include "mpi_wrapper.h"

#define CLL_FUNCTIONS "mpi_neighbour_functions.h"
#include "mpi_counts.h"
#undef CLL_FUNCTIONS

CLL_CALLED(File_open, (MPI_Comm communicator, const char *name, int mode, MPI_Info info, MPI_File *file),
           (communicator, name, mode, info, file))
CLL_CALLED(File_close, (MPI_File *file), (file))
CLL_CALLED(File_sync, (MPI_File file), (file))
CLL_CALLED(File_set_size, (MPI_File file, MPI_Offset size), (file, size))
CLL_CALLED(File_set_view, (MPI_File file, MPI_Offset place, MPI_Datatype type, MPI_Datatype file_type, const char *form, MPI_Info info),
           (file, place, type, file_type, form, info))

#define ON_FILE(name)                                                                                                \
    CLL_CALLED(File_read##name, (MPI_File file, void *bytes, int count, MPI_Datatype type, MPI_Status *status),      \
               (file, bytes, count, type, status))                                                                   \
    CLL_CALLED(File_write##name, (MPI_File file, const void *bytes, int count, MPI_Datatype type, MPI_Status *status), \
               (file, bytes, count, type, status))
#define AT_PLACE(name)                                                                                                      \
    CLL_CALLED(File_read_at##name, (MPI_File file, MPI_Offset place, void *bytes, int count, MPI_Datatype type, MPI_Status *status), \
               (file, place, bytes, count, type, status))                                                                   \
    CLL_CALLED(File_write_at##name,                                                                                         \
               (MPI_File file, MPI_Offset place, const void *bytes, int count, MPI_Datatype type, MPI_Status *status),      \
               (file, place, bytes, count, type, status))

CLL_FILE_ACCESSES(ON_FILE, AT_PLACE)

#undef ON_FILE
#undef AT_PLACE
