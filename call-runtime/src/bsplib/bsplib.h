/* bsplib.h: what the files of the BSPlib library share. */
#ifndef CLL_BSPLIB_H
#define CLL_BSPLIB_H

#include <stddef.h>

#include "../bsp/machine.h"

/* The machine of the section; fails outside of bsp_begin and bsp_end. */
cll_machine *cll_bsplib_machine(const char *call);

/* Before the first section the number of processors that there are, from then on that of the last section. */
int cll_bsplib_processors(void);

/* A number beyond those that a processor can have is none of the machine. */
int cll_bsplib_number(ptrdiff_t number);

/* bsp_sync under another name: the end of a superstep of a collective function. */
void cll_bsplib_sync_as(const char *call);

/* Of a new section: its queue is empty, and tags have no bytes. */
void cll_bsplib_start_messages(void);

/* bsp_hpmove of both dialects. */
ptrdiff_t cll_bsplib_any_hpmove(void **tag, void **payload);

#endif
