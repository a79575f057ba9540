/* saving.h: when and what of the measurements goes into a spill file before a report, so that a killed run has not been in vain. */
#ifndef CLL_SAVING_H
#define CLL_SAVING_H

#include "../recording/recorder.h"
#include "layout.h"

/* Reads CALL_SAVE: `never`, or the seconds after which measurements are kept even if no buffer is full. */
void cll_saving_start(void);

/* Whether full buffers go into a file. */
int cll_saving_is_on(void);

/* When a recorder has to save again if no buffer gets full before. */
uint64_t cll_saving_next_ticks(void);

/* Spills the complete records of a recorder; those that could be are forgotten. With chunks_may_go none is open, and if this returns 1
 * all of them are spilled and none is marked, since the chunks are to be emptied. The recorders are locked. */
int cll_saving_spill(const cll_recorder *recorder, int chunks_may_go);

/* Adds the complete records of a recorder to the summaries. The recorders are locked. */
void cll_saving_summarise(const cll_recorder *recorder);

/* The experiments of this layout have been asked for by a report. The recorders are locked. */
void cll_saving_reported(const cll_layout *layout);

/* Whether this process has measured anything that no report has taken. */
int cll_saving_has_rest(void);

/* See cll_record_forked. */
void cll_saving_forked(int keep);

#endif
