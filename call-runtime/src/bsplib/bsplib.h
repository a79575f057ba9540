/* bsplib.h: what the files of the BSPlib library share. Sizes are size_t here: both dialects of bsp.h stand on these functions. */
#ifndef CLL_BSPLIB_H
#define CLL_BSPLIB_H

#include <stddef.h>

#include "../bsp/machine.h"

/* The machine of all processors; fails outside of bsp_begin and bsp_end. */
cll_machine *cll_bsplib_machine(const char *call);

/* Inside its number of processors, elsewhere those that there are. */
int cll_bsplib_processors(void);

/* The classic bsp_begin. */
void cll_bsplib_begin(int most_processors);

#endif
