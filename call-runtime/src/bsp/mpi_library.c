#include "mpi_library.h"

#include <stdlib.h>

#include "../base/fail.h"
#include "../base/thread.h"
#include "transport.h"

/* Libraries tell of builds and of patents behind their name and version. */
#define LIBRARY_BYTES 128

MPI_Comm cll_mpi_communicator = MPI_COMM_NULL;
static int has_initialised = 0;

/* mpirun takes an end without MPI_Finalize for a failure. */
void cll_mpi_library_end(void)
{
    int is_finalised = 0;
    PMPI_Finalized(&is_finalised);
    if (has_initialised && !is_finalised) {
        PMPI_Finalize();
    }
}

#if !defined(CLL_SMPI) && defined(__GLIBC__)
/* A program may only have asked for the number of processors. Where one fails the others may wait for it: that ends the run. */
static void finalise_at_exit(int status, void *nothing)
{
    (void)nothing;
    if (status == 0 && cll_mpi_communicator == MPI_COMM_NULL && !cll_has_failed()) {
        cll_mpi_library_end();
    }
}
#endif

void cll_mpi_library_start(void)
{
    int is_initialised = 0;
    PMPI_Initialized(&is_initialised);
    if (!is_initialised) {
        PMPI_Init(NULL, NULL);
        has_initialised = 1;
#if !defined(CLL_SMPI) && defined(__GLIBC__)
        on_exit(finalise_at_exit, NULL);
#endif
    }
}

/* A line's beginning: blanks and whatever does not print become one blank. */
static void copy_line(char *line, size_t capacity, const char *text)
{
    size_t used = 0;
    for (; *text != '\0' && *text != '\n' && used + 1 < capacity; text++) {
        if (*text > ' ' && *text <= '~') {
            line[used++] = *text;
        } else if (used > 0 && line[used - 1] != ' ') {
            line[used++] = ' ';
        }
    }
    line[used > 0 && line[used - 1] == ' ' ? used - 1 : used] = '\0';
}

/* MPI answers this before its start, after its end, and in every thread. */
const char *cll_transport_library(void)
{
    static char library[LIBRARY_BYTES];
#if MPI_VERSION >= 3
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (library[0] == '\0' && MPI_Get_library_version(text, &length) == MPI_SUCCESS) {
        copy_line(library, sizeof library, text);
    }
#endif
    return library;
}
