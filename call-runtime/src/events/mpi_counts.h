/* mpi_counts.h: the functions of the file CLL_FUNCTIONS, with counts of CLL_COUNT and places in memory of CLL_PLACE; since MPI 4 there is each a
 * second time, with larger ones (MPI_Send_c). */
#include CLL_FUNCTIONS

#if MPI_VERSION >= 4
#undef CLL_COUNT
#undef CLL_PLACE
#undef CLL_SUFFIX
#define CLL_COUNT MPI_Count
#define CLL_PLACE MPI_Aint
#define CLL_SUFFIX _c
#include CLL_FUNCTIONS
#undef CLL_COUNT
#undef CLL_PLACE
#undef CLL_SUFFIX
#define CLL_COUNT int
#define CLL_PLACE int
#define CLL_SUFFIX
#endif
