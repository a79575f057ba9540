/* left_open.h: measurements that were begun and not ended, counted so that a report can tell of them. */
#ifndef CLL_LEFT_OPEN_H
#define CLL_LEFT_OPEN_H

#include "../../include/call.h"

/* One was open when that of `around` ended; NULL: when its thread ended or a report was made. */
void cll_left_open(const cll_experiment *experiment, const cll_experiment *around);

/* It is ended after that: tells the first time that measurements must nest. 0 if none was left open inside another one. */
int cll_left_open_is_ended(const cll_experiment *experiment);

/* Says what was counted since the last time. */
void cll_left_open_tell(void);

/* What was counted before this process was forked is for its parent to tell. */
void cll_left_open_forget(void);

#endif
