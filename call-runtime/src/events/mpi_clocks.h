/* mpi_clocks.h: what the clocks of several computers show at the same moments. Times of a processor count from one that is the same for all of its
 * computer; the first processor of each asks processor 0 what its clock shows, and tells the others. */
#ifndef CLL_EVENTS_MPI_CLOCKS_H
#define CLL_EVENTS_MPI_CLOCKS_H

#include <stdint.h>

/* Called by all. Finds the moment from which times of this processor count; where there is more than one computer, clocks are compared. Returns
 * whether all have the same clock. */
int cll_event_clocks_start(uint64_t *origin_ticks);

/* Called by all: compares them once more. */
void cll_event_clocks_compare(void);

/* Called by all, before MPI ends. */
void cll_event_clocks_end(void);

#endif
