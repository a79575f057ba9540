/* event_definitions.c: the tables behind the numbers, and their text. */
#include "event_definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/table.h"
#include "../bsp/call_sites.h"
#include "event_closing.h"

typedef struct {
    int maker;
    int number;
    int count;
    int *processors;
} event_communicator;

void (*cll_events_compare_clocks)(void) = NULL;

static int clock_is_common = 0;
static cll_clock_reading *clock_readings = NULL;
static uint32_t clock_reading_count = 0;
static uint32_t clock_reading_capacity = 0;
static event_communicator *event_communicators = NULL;
static uint32_t event_communicator_count = 0;
static uint32_t event_communicator_capacity = 0;
static const cll_experiment **event_experiments = NULL;
static uint32_t event_experiment_count = 0;
static uint32_t event_experiment_capacity = 0;
static cll_table experiments_by_address;

static const char purpose_of_definitions[] = "the events";

void cll_event_clock_is(int is_common)
{
    clock_is_common = is_common;
}

int cll_event_clock_is_common(void)
{
    return clock_is_common;
}

void cll_event_clock_read(const cll_clock_reading *reading)
{
    if (clock_reading_count == clock_reading_capacity) {
        clock_reading_capacity = 2 * clock_reading_capacity + 4;
        clock_readings =
            cll_reallocate(clock_readings, clock_reading_capacity, sizeof *clock_readings, purpose_of_definitions);
    }
    clock_readings[clock_reading_count++] = *reading;
}

void cll_compare_clocks(void)
{
    if (cll_events_compare_clocks != NULL) {
        cll_event_begin_change();
        cll_events_compare_clocks();
        cll_event_end_change();
    }
}

uint32_t cll_event_communicator_add(int maker, int number, int *processors, int count)
{
    if (event_communicator_count == event_communicator_capacity) {
        event_communicator_capacity = 2 * event_communicator_capacity + 8;
        event_communicators = cll_reallocate(event_communicators, event_communicator_capacity, sizeof *event_communicators,
                                             purpose_of_definitions);
    }
    event_communicator *made = &event_communicators[event_communicator_count];
    made->maker = maker;
    made->number = number;
    made->processors = processors;
    made->count = count;
    return event_communicator_count++;
}

int cll_event_communicator_size(uint32_t communicator)
{
    return event_communicators[communicator].count;
}

int cll_event_communicator_processor(uint32_t communicator, int rank)
{
    const event_communicator *its = &event_communicators[communicator];
    return rank >= 0 && rank < its->count ? its->processors[rank] : -1;
}

static int is_same_experiment(const void *experiment, uint64_t number)
{
    return event_experiments[number] == experiment;
}

uint32_t cll_event_experiment(const cll_experiment *experiment)
{
    uint64_t hash = cll_hash_address(experiment);
    uint64_t found = cll_table_find(&experiments_by_address, hash, is_same_experiment, experiment);
    if (found != CLL_TABLE_NONE) {
        return (uint32_t)found;
    }
    if (event_experiment_count == event_experiment_capacity) {
        event_experiment_capacity = 2 * event_experiment_capacity + 16;
        event_experiments = cll_reallocate(event_experiments, event_experiment_capacity, sizeof *event_experiments, purpose_of_definitions);
        cll_table_reserve(&experiments_by_address, event_experiment_capacity, purpose_of_definitions);
    }
    event_experiments[event_experiment_count] = experiment;
    cll_table_add(&experiments_by_address, hash, event_experiment_count);
    return event_experiment_count++;
}

static void add_definition(cll_event_definitions *its, const char *added)
{
    size_t length = strlen(added);
    if (its->length + length + 1 > its->capacity) {
        its->capacity = 2 * (its->length + length + 1);
        its->bytes = cll_reallocate(its->bytes, its->capacity, 1, purpose_of_definitions);
    }
    memcpy(its->bytes + its->length, added, length + 1);
    its->length += length;
}

static void add_head(cll_event_definitions *its)
{
    char line[80];
    snprintf(line, sizeof line, "# events of processor %d, clock %s\n", its->processor, clock_is_common ? "common" : "own");
    add_definition(its, line);
}

static void add_clock_reading(cll_event_definitions *its, const cll_clock_reading *reading)
{
    char line[128];
    snprintf(line, sizeof line, "# clock %llu %llu %llu\n", (unsigned long long)cll_clock_nanoseconds(reading->own_ticks),
             (unsigned long long)reading->first_ns, (unsigned long long)cll_clock_nanoseconds(reading->uncertainty_ticks));
    add_definition(its, line);
}

static void add_numbered(cll_event_definitions *its, const char *what, uint32_t number, const char *text)
{
    char start[64];
    snprintf(start, sizeof start, "# %s %lu: ", what, (unsigned long)number);
    add_definition(its, start);
    add_definition(its, text);
    add_definition(its, "\n");
}

/* Its processors in the order of their ranks; those that follow each other by one as `FIRST-LAST`. */
static void add_communicator(cll_event_definitions *its, uint32_t number)
{
    const event_communicator *made = &event_communicators[number];
    char part[96];
    snprintf(part, sizeof part, "# communicator %lu: %d.%d", (unsigned long)number, made->maker, made->number);
    add_definition(its, part);
    for (int first = 0, last; first < made->count; first = last + 1) {
        for (last = first; last + 1 < made->count && made->processors[last + 1] == made->processors[last] + 1; last++) {
        }
        char mark = first == 0 ? ' ' : ',';
        if (first == last) {
            snprintf(part, sizeof part, "%c%d", mark, made->processors[first]);
        } else {
            snprintf(part, sizeof part, "%c%d-%d", mark, made->processors[first], made->processors[last]);
        }
        add_definition(its, part);
    }
    add_definition(its, "\n");
}

void cll_event_definitions_continue(cll_event_definitions *definitions)
{
    definitions->length = 0;
    if (!definitions->has_head) {
        add_head(definitions);
        definitions->has_head = 1;
    }
    for (; definitions->clock_readings < clock_reading_count; definitions->clock_readings++) {
        add_clock_reading(definitions, &clock_readings[definitions->clock_readings]);
    }
    if (definitions->call_sites < cll_call_sites_count()) {
        cll_call_sites_describe();
    }
    for (; definitions->call_sites < cll_call_sites_count(); definitions->call_sites++) {
        add_numbered(definitions, "place", definitions->call_sites, cll_call_site_text(definitions->call_sites));
    }
    for (; definitions->communicators < event_communicator_count; definitions->communicators++) {
        add_communicator(definitions, definitions->communicators);
    }
    for (; definitions->experiments < event_experiment_count; definitions->experiments++) {
        add_numbered(definitions, "experiment", definitions->experiments, event_experiments[definitions->experiments]->name);
    }
}

void cll_event_definitions_release(cll_event_definitions *definitions)
{
    free(definitions->bytes);
    definitions->bytes = NULL;
}
