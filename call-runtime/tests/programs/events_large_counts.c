/* The calls of events_further.c, with the counts of MPI 4. */
#define LARGE_COUNTS
#include "events_further.c"
