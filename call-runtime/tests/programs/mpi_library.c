/* A library of MPI that says more of itself than belongs into a trace. */
#include <mpi.h>

#include <call.h>
#include <stddef.h>
#include <string.h>

static const cll_unit unit = {"mpi_library", "mpi_library.c", CLL_MPI, 0, NULL};

int MPI_Get_library_version(char *version, int *length)
{
    strcpy(version, "  Planted\tMPI \033[31m \303\251 5.1,  of ");
    *length = (int)strlen(version);
    while (*length < 200) {
        version[(*length)++] = 'x';
    }
    strcpy(version + *length, "\nand a second line");
    *length = (int)strlen(version);
    return MPI_SUCCESS;
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    cll_report(&unit, NULL, NULL);
    MPI_Finalize();
    return 0;
}
