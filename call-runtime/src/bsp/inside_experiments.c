/* inside_experiments.c: adds up the records of this thread. Records stand in the order in which they were begun, so of those of one
 * experiment that lie inside each other the outermost comes first, and the others add nothing. */
#include "inside_experiments.h"

#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/table.h"
#include "../measuring/room.h"
#include "../program/units.h"

typedef struct {
    const char *name;
    uint64_t inside_ticks;
    uint64_t counted_to_ticks; /* end of what was added last */
} inside_experiment;

/* Several descriptions may be of one experiment. */
typedef struct {
    const cll_experiment *description;
    uint32_t number;
} inside_description;

static inside_experiment *inside_experiments = NULL;
static uint32_t inside_count = 0;
static uint32_t inside_capacity = 0;
static inside_description *inside_descriptions = NULL;
static size_t inside_description_capacity = 0;
static cll_table inside_by_address; /* numbers of descriptions */

static uint64_t inside_since_ticks = 0; /* up to here everything has been counted */
static uint64_t inside_pause_ticks = 0;
static int inside_pauses = 0;

/* The thread whose records are looked at, those that were open when that was done last, the outermost first, and where the records
 * since then begin. Other threads ask whether it is theirs. */
static const cll_recorder *inside_recorder = NULL;
static cll_record **inside_open = NULL;
static size_t inside_open_count = 0;
static size_t inside_open_capacity = 0;
static cll_record_walk inside_walk;

static const cll_recorder *watched_recorder(void)
{
    return __atomic_load_n(&inside_recorder, __ATOMIC_RELAXED);
}

static const char purpose_of_inside[] = "the times of experiments in supersteps: set CALL_SUPERSTEPS to 0";

/* The descriptions of one name are one experiment. */
static uint32_t number_of_name(const char *name)
{
    uint32_t number = 0;
    while (number < inside_count && strcmp(inside_experiments[number].name, name) != 0) {
        number++;
    }
    if (number == inside_capacity) {
        inside_capacity = 2 * inside_capacity + 16;
        inside_experiments = cll_reallocate(inside_experiments, inside_capacity, sizeof *inside_experiments, purpose_of_inside);
    }
    if (number == inside_count) {
        inside_experiments[inside_count++] = (inside_experiment){.name = name};
    }
    return number;
}

static int is_description(const void *description, uint64_t at)
{
    return inside_descriptions[at].description == description;
}

static uint64_t add_description(const cll_experiment *description)
{
    size_t at = inside_by_address.count;
    if (at == inside_description_capacity) {
        inside_description_capacity = 2 * inside_description_capacity + 16;
        inside_descriptions =
            cll_reallocate(inside_descriptions, inside_description_capacity, sizeof *inside_descriptions, purpose_of_inside);
    }
    inside_descriptions[at] = (inside_description){description, number_of_name(description->name)};
    cll_table_reserve(&inside_by_address, at + 1, purpose_of_inside);
    cll_table_add(&inside_by_address, cll_hash_address(description), at);
    return at;
}

static uint32_t number_of(const cll_experiment *description)
{
    uint64_t found = cll_table_find(&inside_by_address, cll_hash_address(description), is_description, description);
    if (found == CLL_TABLE_NONE) {
        found = add_description(description); /* moves the list */
    }
    return inside_descriptions[found].number;
}

/* So that nothing is allocated where measurements are open. */
static void know_experiment(const cll_experiment *description)
{
    number_of(description);
}

/* What is open now, and what is begun from now on. */
static void find_inside_records(void)
{
    const cll_recorder *own = cll_own_recorder;
    size_t count = 0;
    for (const cll_record *open = own->innermost; open != NULL; open = open->is.enclosing) {
        count++;
    }
    if (count > inside_open_capacity) {
        inside_open_capacity = 2 * count;
        inside_open = cll_reallocate(inside_open, inside_open_capacity, sizeof(cll_record *), purpose_of_inside);
    }
    inside_open_count = count;
    for (cll_record *open = own->innermost; open != NULL; open = open->is.enclosing) {
        inside_open[--count] = open;
    }
    memset(&inside_walk, 0, sizeof inside_walk);
    if (own->current != NULL) {
        inside_walk.chunk = own->current;
        inside_walk.offset = own->current->used_bytes;
        inside_walk.seen_bytes = own->current->used_bytes;
    }
}

/* A thread that had not measured anything so far may have begun; another thread starts with what it has. */
static void watch_inside_thread(void)
{
    const cll_recorder *watched = watched_recorder();
    if (watched == cll_own_recorder) {
        return;
    }
    __atomic_store_n(&inside_recorder, cll_own_recorder, __ATOMIC_RELAXED);
    if (watched == NULL || watched->current != NULL) {
        find_inside_records();
    }
}

static void count_inside_record(const cll_record *record, uint64_t now_ticks)
{
    unsigned state = cll_record_state(record);
    uint64_t end_ticks = now_ticks;
    if (state == CLL_MEASURED || state == CLL_MEASURED_TAKEN) {
        end_ticks = record->start_ticks + record->is.elapsed_ticks;
        end_ticks = end_ticks < now_ticks ? end_ticks : now_ticks;
    } else if (state != CLL_OPEN) {
        return;
    }
    inside_experiment *its = &inside_experiments[number_of(record->experiment)];
    uint64_t start_ticks = record->start_ticks > inside_since_ticks ? record->start_ticks : inside_since_ticks;
    start_ticks = start_ticks > its->counted_to_ticks ? start_ticks : its->counted_to_ticks;
    if (end_ticks > start_ticks) {
        its->inside_ticks += end_ticks - start_ticks;
        its->counted_to_ticks = end_ticks;
    }
}

void cll_inside_pause(uint64_t now_ticks)
{
    if (inside_pauses++ == 0) {
        inside_pause_ticks = now_ticks;
    }
}

void cll_inside_count(uint64_t now_ticks)
{
    uint64_t to_ticks = inside_pauses > 0 ? inside_pause_ticks : now_ticks;
    cll_record *record;
    watch_inside_thread();
    if (to_ticks <= inside_since_ticks || cll_own_recorder->current == NULL) {
        return;
    }
    for (size_t at = 0; at < inside_open_count; at++) {
        count_inside_record(inside_open[at], to_ticks);
    }
    while ((record = cll_record_next(cll_own_recorder, &inside_walk)) != NULL) {
        count_inside_record(record, to_ticks);
    }
    inside_since_ticks = to_ticks;
    find_inside_records();
}

void cll_inside_go_on(uint64_t now_ticks)
{
    if (--inside_pauses == 0) {
        inside_since_ticks = now_ticks;
    }
}

int cll_inside_is_counting(void)
{
    return inside_pauses == 0;
}

int cll_inside_has_more(void)
{
    const cll_recorder *own = cll_own_recorder;
    return inside_open_count > 0 || own != watched_recorder() || own->current != inside_walk.chunk ||
           (own->current != NULL && own->current->used_bytes != inside_walk.offset);
}

/* Their clocks stand still meanwhile. */
static void before_records_move(void)
{
    if (watched_recorder() == cll_own_recorder) {
        uint64_t now_ticks = cll_clock_end();
        cll_inside_pause(now_ticks);
        cll_inside_count(now_ticks);
    }
}

static void after_records_moved(void)
{
    if (watched_recorder() == cll_own_recorder) {
        find_inside_records();
        cll_inside_go_on(cll_clock_begin());
    }
}

void cll_inside_start(uint64_t now_ticks)
{
    cll_units_visit(know_experiment);
    cll_recorder_before_move = before_records_move;
    cll_recorder_after_move = after_records_moved;
    watch_inside_thread();
    find_inside_records();
    inside_since_ticks = now_ticks;
}

void cll_inside_after_report(uint64_t now_ticks)
{
    __atomic_store_n(&inside_recorder, cll_own_recorder, __ATOMIC_RELAXED);
    find_inside_records();
    cll_inside_go_on(now_ticks);
}

uint32_t cll_inside_experiments(void)
{
    return inside_count;
}

const char *cll_inside_name(uint32_t number)
{
    return inside_experiments[number].name;
}

uint64_t cll_inside_ticks(uint32_t number)
{
    return inside_experiments[number].inside_ticks;
}
