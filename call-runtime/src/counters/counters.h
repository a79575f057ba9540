/* counters.h: what happens in a thread beside the time: events that PAPI or the kernel counts. */
#ifndef CLL_COUNTERS_H
#define CLL_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "../../include/call.h"

/* The difference of a counter that is not there. */
#define CLL_COUNTER_MISSING UINT64_MAX

/* The events that a thread counts. */
typedef struct cll_counters cll_counters;

/* Starts what the experiments of the program count, for this thread; NULL if they count nothing. Takes a while (libraries are loaded),
 * so it is called when the thread starts to measure. */
cll_counters *cll_counters_open(void);
void cll_counters_close(cll_counters *counters);

/* Called in a new process: goes on there with what the thread that forked has counted. NULL is allowed. */
void cll_counters_forked(cll_counters *counters);

/* The same for the counters of a thread that does not exist in the new process. */
void cll_counters_abandon(cll_counters *counters);

/* Write one value for each counter of the experiment: first what is counted so far, then what came since. */
void cll_counters_begin(cll_counters **of_thread, const cll_experiment *experiment, cll_value *values);
void cll_counters_end(cll_counters *counters, const cll_experiment *experiment, cll_value *values);

/* What happens between the two belongs to no measurement: counts up to now stand, and the counters go on from there. NULL is allowed. */
void cll_counters_stop(cll_counters *counters);
void cll_counters_go_on(cll_counters *counters);

/* Why the counter is missing; NULL if it is not. */
const char *cll_counter_missing(const char *name);

/* Says on stderr that it is missing, when it is asked to for the first time and nobody wanted it so. */
void cll_counter_tell_missing(const char *name);

/* Whether some counts had to be projected, since the processor counted them for a part of the time only. */
int cll_counters_are_multiplexed(void);

#endif
