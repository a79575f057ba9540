/* measurement.h: what is done between measurements; begin and end are in call.h. */
#ifndef CLL_MEASUREMENT_H
#define CLL_MEASUREMENT_H

/* Makes room for measurements of this thread now rather than at the next begin. */
void cll_record_prepare(void);

/* Size of the team that this thread is in, and its number there; for the records of this thread instead of the machine. */
void cll_record_set_team(int processors, int number);

/* Called by each begin, where it is set: sets the team. */
extern void (*cll_record_find_team)(void);

/* From now on the clock knows the median of what an empty begin/end pair records; only the first call measures. */
void cll_measure_empty_pair(void);

#endif
