/* event_definitions.h: the lines that say what the numbers in events mean: places of calls, communicators, experiments. */
#ifndef CLL_EVENT_DEFINITIONS_H
#define CLL_EVENT_DEFINITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "../../include/call.h"

/* Whether all processors have the same clock, for the heads of sections. */
void cll_event_clock_is(int is_common);
int cll_event_clock_is_common(void);

/* What the clock of processor 0 showed when that of this processor showed something: both since the moments from which times count. */
typedef struct {
    uint64_t own_ticks;
    uint64_t first_ns;
    uint64_t uncertainty_ticks;
} cll_clock_reading;

void cll_event_clock_read(const cll_clock_reading *reading);

/* Set by what can compare clocks. */
extern void (*cll_events_compare_clocks)(void);

/* Takes over `processors`, which tells for each rank the number in the run. Returns the number of the communicator. */
uint32_t cll_event_communicator_add(int maker, int number, int *processors, int count);
int cll_event_communicator_size(uint32_t communicator);
/* -1: there is no such rank. */
int cll_event_communicator_processor(uint32_t communicator, int rank);

uint32_t cll_event_experiment(const cll_experiment *experiment);

/* How much of the definitions has been told in the section of a processor. Start with a zeroed one. */
typedef struct {
    int processor;
    int has_head;
    uint32_t clock_readings;
    uint32_t call_sites;
    uint32_t communicators;
    uint32_t experiments;
    char *bytes; /* what is new, whole lines */
    size_t length;
    size_t capacity;
} cll_event_definitions;

/* Makes the text of what has not been told, in the place of what was there. */
void cll_event_definitions_continue(cll_event_definitions *definitions);
void cll_event_definitions_release(cll_event_definitions *definitions);

#endif
