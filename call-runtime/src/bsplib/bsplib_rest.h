/* bsplib_rest.h: what a section has measured and not reported, for when its processors end and others come. */
#ifndef CLL_BSPLIB_REST_H
#define CLL_BSPLIB_REST_H

int cll_bsplib_has_rest(void);

/* While the processors of the section are in a machine. `is_together`: any of them has something, so all report. A program of another
 * kind than BSPlib reports each processor by itself; the one with number 0 goes on. */
void cll_bsplib_report_rest(int is_together, int processor);

#endif
