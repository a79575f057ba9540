/* superstep_saving.h: the supersteps so far go into a file of the unfinished run now and then, as measurements do. */
#ifndef CLL_BSP_SUPERSTEP_SAVING_H
#define CLL_BSP_SUPERSTEP_SAVING_H

#include <stdint.h>

/* Reads CALL_SAVE. */
void cll_supersteps_start_saving(void);

/* Saves what has been recorded since the last time, if it is time to; returns whether it was. `is_bsplib`: which library the program
 * uses. */
int cll_supersteps_save(uint64_t now_ticks, int is_bsplib);

/* All of it has been reported. */
void cll_supersteps_remove_saved(void);

/* Called in a processor that was forked: what has been recorded and saved is the other one's. */
void cll_supersteps_forked(void);

#endif
