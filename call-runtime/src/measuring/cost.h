/* cost.h: what measuring takes of the time of the program. */
#ifndef CLL_COST_H
#define CLL_COST_H

#include "../recording/recorder.h"

/* What things take on this computer, in ticks, once that has been measured. */
typedef struct {
    double pair; /* a begin and an end, without counters and saving */
    double look; /* the same of an execution that is looked at and not measured */
    double pass; /* of one that is passed over without a look */
} cll_costs;

extern cll_costs cll_costs_known;

/* For this thread only, while others read. */
static inline void cll_count_on(uint64_t *counter, uint64_t more)
{
    __atomic_store_n(counter, *counter + more, __ATOMIC_RELAXED);
}

/* What the runtime does between these two is not the time of the measurements that are open in this thread. */
uint64_t cll_cost_stop_clocks(const cll_recorder *own);
void cll_cost_start_clocks(const cll_recorder *own, uint64_t stopped_ticks);

/* What measuring has taken of the recorder's thread, in ticks. */
double cll_cost_of(const cll_recorder *recorder);

/* The thread ends, and what it cost stays known. The recorders are locked. */
void cll_cost_end_thread(cll_recorder *own);

/* In a new process that is a run of its own. The recorders are locked or there are no other threads. */
void cll_cost_forked(void);

double cll_cost_of_pair_ns(void);

/* Of all threads of this process since they began to measure. */
typedef struct {
    uint64_t measuring_ns;
    uint64_t running_ns;
} cll_process_cost;

cll_process_cost cll_cost_of_process(void);

#endif
