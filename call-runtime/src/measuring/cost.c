/* cost.c: adds up what measuring costs. */
#include "cost.h"

#include "../base/clock.h"
#include "../counters/counters.h"

cll_costs cll_costs_known;

/* Of threads that have ended. */
static double ended_measuring_ticks = 0;
static double ended_running_ticks = 0;

static double counted(const uint64_t *counter)
{
    return (double)__atomic_load_n(counter, __ATOMIC_RELAXED);
}

double cll_cost_of(const cll_recorder *recorder)
{
    return counted(&recorder->pairs) * cll_costs_known.pair + counted(&recorder->looks) * cll_costs_known.look +
           counted(&recorder->passes) * cll_costs_known.pass + counted(&recorder->beside_ticks);
}

/* By the counting clock each thread has a time of its own. */
static double running_ticks(const cll_recorder *recorder, uint64_t now_ticks)
{
    return now_ticks > recorder->start_ticks ? (double)(now_ticks - recorder->start_ticks) : 0;
}

static void start_anew(cll_recorder *recorder)
{
    recorder->pairs = recorder->looks = recorder->passes = recorder->beside_ticks = 0;
    recorder->start_ticks = cll_clock_end();
}

void cll_cost_end_thread(cll_recorder *own)
{
    ended_measuring_ticks += cll_cost_of(own);
    ended_running_ticks += running_ticks(own, cll_clock_end());
    start_anew(own);
}

void cll_cost_forked(void)
{
    ended_measuring_ticks = ended_running_ticks = 0;
    for (cll_recorder *recorder = cll_recorders_first(); recorder != NULL; recorder = recorder->next) {
        start_anew(recorder);
    }
}

uint64_t cll_cost_stop_clocks(const cll_recorder *own)
{
    if (own->innermost == NULL) {
        return 0;
    }
    uint64_t stopped_ticks = cll_clock_in_use == CLL_CLOCK_COUNTING ? 0 : cll_clock_begin();
    cll_counters_stop(own->counters);
    return stopped_ticks;
}

void cll_cost_start_clocks(const cll_recorder *own, uint64_t stopped_ticks)
{
    if (own->innermost == NULL) {
        return;
    }
    cll_counters_go_on(own->counters);
    uint64_t pause_ticks = cll_clock_in_use == CLL_CLOCK_COUNTING ? 0 : cll_clock_end() - stopped_ticks;
    for (cll_record *open = own->innermost; open != NULL; open = open->is.enclosing) {
        open->start_ticks += pause_ticks;
    }
}

double cll_cost_of_pair_ns(void)
{
    return cll_costs_known.pair * cll_clock_nanoseconds_per_tick();
}

cll_process_cost cll_cost_of_process(void)
{
    uint64_t now_ticks = cll_clock_end();
    cll_recorders_lock();
    double measuring_ticks = ended_measuring_ticks;
    double all_ticks = ended_running_ticks;
    for (const cll_recorder *recorder = cll_recorders_first(); recorder != NULL; recorder = recorder->next) {
        if (!recorder->has_ended) {
            measuring_ticks += cll_cost_of(recorder);
            all_ticks += running_ticks(recorder, now_ticks);
        }
    }
    cll_recorders_unlock();
    return (cll_process_cost){cll_clock_nanoseconds((uint64_t)measuring_ticks), cll_clock_nanoseconds((uint64_t)all_ticks)};
}
