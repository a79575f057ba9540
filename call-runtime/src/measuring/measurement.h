/* measurement.h: what is done between measurements; begin and end are in call.h. */
#ifndef CLL_MEASUREMENT_H
#define CLL_MEASUREMENT_H

#include <stdint.h>

#include "../../include/call.h"

/* Makes room for measurements of this thread now rather than at the next begin. */
void cll_record_prepare(void);

/* P of the following records of this thread instead of that of the machine (0: that of the machine; CLL_LEFT_OUT: none is kept), and the
 * number of the thread. */
void cll_record_set_team(int processors, int number);

/* The same in an OpenMP program: size of the team that this thread is in, less than CLL_REGIONS_UNASKED, unless regions that it opens count
 * (`asks_regions`). */
void cll_record_set_open_team(int team, int number, int asks_regions);

/* Called by each begin of an OpenMP program, where it is set: sets the open team. */
extern void (*cll_record_find_team)(void);

/* Called, where it is set, before a measurement begins and when it has ended, or has been left without its end. */
extern void (*cll_record_of_experiment)(const cll_experiment *experiment, uint64_t now_ticks, int begins);

/* What is measured for the cost of measuring; no experiment of the program. */
extern const cll_experiment cll_empty_pair;

/* From now on the clock knows the median of what an empty begin/end pair records; only the first call measures. */
void cll_measure_empty_pair(void);

/* The same before a report: in a process that tells it, or has measured. */
void cll_measure_empty_pair_of_report(int is_told);

#endif
