/* bsplib_between.h: what the processors agree upon between two sections, with bsp_init. */
#ifndef CLL_BSPLIB_BETWEEN_H
#define CLL_BSPLIB_BETWEEN_H

#include <stdint.h>

#include "../bsp/machine.h"

/* The processors other than 0 wait between the sections for the word of processor 0. */
typedef struct {
    int64_t processors;        /* wanted; 0: there is no more section */
    int64_t function_distance; /* from bsp_init, as programs are loaded at different addresses */
    int64_t is_for_others;     /* new processors execute it, and these leave */
    int64_t is_reported;       /* what is left of the section before, by all together */
} cll_bsplib_section;

/* Processor 0 tells the others the next section. */
void cll_bsplib_tell_section(cll_machine *all, cll_bsplib_section *next, const char *call);

/* The same where processors can be forked: the others say first whether they have returned from the function of bsp_init, or begin
 * again in it, in which they must be alike, and whether they have measured what has not been reported. */
void cll_bsplib_plan_section(cll_machine *all, cll_bsplib_section *next, int has_returned, const char *call);

/* The rest of a section whose processors leave: later reports could not have it, as they are of the processors that there are then. A program
 * of another kind than BSPlib reports each processor by itself; number 0 goes on. */
void cll_bsplib_report_rest(const cll_machine *all, const cll_bsplib_section *next);

#endif
