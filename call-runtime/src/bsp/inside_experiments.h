/* inside_experiments.h: how much of its computing this processor has spent inside measurements of each experiment. It is found from
 * the records of the measurements, now and then, so begin and end know nothing of it. Only the thread that synchronises counts. */
#ifndef CLL_BSP_INSIDE_EXPERIMENTS_H
#define CLL_BSP_INSIDE_EXPERIMENTS_H

#include <stddef.h>
#include <stdint.h>

/* From this moment on time counts, unless it is paused. */
void cll_inside_start(uint64_t now_ticks);

/* Time from a pause to where it goes on is no computing. Pauses may lie inside each other: the outermost one counts. */
void cll_inside_pause(uint64_t now_ticks);
void cll_inside_go_on(uint64_t now_ticks);
int cll_inside_is_counting(void);

/* Counts what was measured up to now, or up to the pause. */
void cll_inside_count(uint64_t now_ticks);

/* Are there measurements that have not been counted? */
int cll_inside_has_more(void);

/* Instead of going on: a report has taken the records that were complete. */
void cll_inside_after_report(uint64_t now_ticks);

/* What has been counted since the start: numbers below the count, in the order of their first mention. */
uint32_t cll_inside_experiments(void);
const char *cll_inside_name(uint32_t number);
uint64_t cll_inside_ticks(uint32_t number);

#endif
