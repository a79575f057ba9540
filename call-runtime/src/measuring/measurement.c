/* measurement.c: begin and end. */
#include "measurement.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../include/call.h"
#include "../base/clock.h"
#include "../base/fail.h"
#include "../counters/counters.h"
#include "../recording/left_open.h"
#include "cost.h"
#include "regions.h"
#include "room.h"
#include "thinning.h"

/* The first time it has what each measurement needs, too. NULL: for none now. */
static cll_recorder *ready_recorder(const cll_experiment *wanted)
{
    if (!cll_recorder_is_any(cll_own_recorder)) {
        int has_budget = cll_budget_start();
        cll_recorder *own = cll_recorder_start();
        if (cll_clock_empty_pair_is_subtracted || has_budget) {
            cll_measure_empty_pair(); /* now, where nothing is open */
        }
        if (has_budget) {
            cll_thinning_start(own);
        }
    }
    return cll_recorder_make_room(wanted == NULL ? 0 : cll_record_bytes(wanted));
}

void (*cll_record_find_team)(void) = NULL;
void (*cll_record_of_experiment)(const cll_experiment *experiment, uint64_t now_ticks, int begins) = NULL;

void cll_record_prepare(void)
{
    ready_recorder(NULL);
}

static void set_team(int32_t processors, int number)
{
    cll_recorder *own = cll_own_recorder;
    if (!cll_recorder_is_any(own)) {
        own = ready_recorder(NULL);
    }
    own->team = processors;
    own->thread = (uint16_t)number;
}

void cll_record_set_team(int processors, int number)
{
    set_team(processors, number);
}

void cll_record_set_open_team(int team, int number, int asks_regions)
{
    set_team(cll_open_teams(team, asks_regions), number);
}

/* Begins a measurement that stands for so many executions. */
static inline void begin_measurement(cll_recorder *own, const cll_experiment *experiment, const cll_value *values, uint64_t executions)
{
    size_t size_bytes = cll_record_bytes(experiment);
    if (own->room_bytes < size_bytes) {
        own = ready_recorder(experiment);
        size_bytes = cll_record_bytes(experiment); /* only now it is known whether there is a budget */
    }
    cll_chunk *chunk = own->current;
    size_t used_bytes_before = chunk->used_bytes;
    cll_record *record = (cll_record *)(void *)(chunk->bytes + used_bytes_before);
    own->room_bytes -= size_bytes;
    record->experiment = experiment;
    record->is.enclosing = own->innermost;
    record->processors = own->team != 0 ? own->team : __atomic_load_n(&cll_processors, __ATOMIC_RELAXED);
    record->thread = own->thread;
    cll_record_become(record, CLL_OPEN);
    for (int variable = 0; variable < experiment->variable_count - experiment->end_variable_count; variable++) {
        record->values[variable] = values[variable];
    }
    if (cll_keeps_executions()) {
        record->values[cll_value_count(experiment)].natural = executions;
    }
    own->innermost = record;
    __atomic_store_n(&chunk->used_bytes, used_bytes_before + size_bytes, __ATOMIC_RELEASE);
    if (cll_record_of_experiment != NULL) {
        cll_record_of_experiment(experiment, cll_clock_begin(), 1);
    }
    if (experiment->counter_count > 0) {
        uint64_t before_ticks = cll_clock_begin();
        cll_counters_begin(&own->counters, experiment, record->values + experiment->variable_count);
        record->start_ticks = cll_clock_begin();
        cll_count_on(&own->beside_ticks, record->start_ticks - before_ticks);
        return;
    }
    record->start_ticks = cll_clock_begin();
}

/* Supersteps and events tell of each measurement, so nothing is left out where they are recorded. */
static inline int is_thinning(const cll_recorder *own)
{
    return own->thinning != NULL && cll_record_of_experiment == NULL && cll_recorder_before_move == NULL;
}

void cll_begin(const cll_experiment *experiment, const cll_value *values)
{
    if (cll_record_find_team != NULL) {
        cll_record_find_team();
    }
    cll_recorder *own = cll_own_recorder;
    uint64_t executions = is_thinning(own) ? cll_thinning_look(own, experiment, values, 1) : 1;
    if (executions > 0) {
        begin_measurement(own, experiment, values, executions);
    } else {
        cll_thinning_leave_out(own, experiment);
    }
}

int cll_begin_at_gate(cll_gate *gate, const cll_value *values)
{
    const cll_experiment *experiment = gate->experiment;
    if (cll_record_find_team != NULL) {
        cll_record_find_team();
    }
    cll_recorder *own = cll_own_recorder;
    uint64_t executions = gate->block > 0 ? gate->block : 1;
    if (is_thinning(own)) {
        executions = cll_thinning_look(own, experiment, values, executions);
        cll_thinning_pass(own, experiment, gate);
    } else {
        gate->block = 0;
    }
    if (executions > 0) {
        begin_measurement(own, experiment, values, executions);
    }
    return executions > 0;
}

void cll_begin_marked(cll_gate *gate, const cll_value *values)
{
    if ((long)gate->marks < 0) {
        gate->deeper++;
        cll_begin(gate->experiment, values);
        return;
    }
    int is_measured = cll_begin_at_gate(gate, values);
    gate->marks = gate->marks << 1 | !is_measured;
}

void cll_begin_reals(const cll_experiment *experiment, const double *values)
{
    cll_value its[CLL_MOST_BY_HAND];
    for (int variable = 0; variable < experiment->variable_count && variable < CLL_MOST_BY_HAND; variable++) {
        its[variable].real = values[variable];
    }
    cll_begin(experiment, its);
}

CLL_NEVER_RETURNS static void fail_not_open(const cll_experiment *experiment)
{
    char lines[256] = "";
    size_t length = 0;
    for (int block = 0; block < experiment->block_count && length < sizeof lines - 40; block++) {
        length += (size_t)snprintf(lines + length, sizeof lines - length, "%s%d-%d", block == 0 ? "" : ", ",
                                   experiment->blocks[block].first_line, experiment->blocks[block].last_line);
    }
    cll_fail("end %s: no measurement of experiment %s (lines %s) is open: its begin was not executed in this thread or it was ended "
             "twice",
             experiment->name, experiment->name, lines);
}

CLL_NEVER_RETURNS static void fail_without_values(const cll_experiment *experiment)
{
    cll_fail("end %s: %d of its variables are taken at the end, and this end hands over no values: translate the file again with the "
             "`call` of this runtime",
             experiment->name, experiment->end_variable_count);
}

/* A return, goto or longjmp has left measurements inside this one without their end. NULL: this one was left so itself. */
static cll_record *abandon_inside(const cll_recorder *own, const cll_experiment *experiment, uint64_t end_ticks)
{
    cll_record *found = own->innermost;
    while (found != NULL && found->experiment != experiment) {
        found = found->is.enclosing;
    }
    if (found == NULL) {
        if (!cll_left_open_is_ended(experiment)) {
            fail_not_open(experiment);
        }
        return NULL;
    }
    for (cll_record *left = own->innermost, *enclosing; left != found; left = enclosing) {
        enclosing = left->is.enclosing;
        if (cll_record_find_team != NULL) {
            cll_regions_hand_on(own, left);
        }
        const cll_experiment *its = left->experiment;
        if (cll_record_abandon(left)) {
            cll_left_open(its, experiment);
        }
        if (cll_record_of_experiment != NULL) {
            cll_record_of_experiment(its, end_ticks, 0);
        }
    }
    return found;
}

/* Takes the record off the open ones, with its time. NULL: the end of another one has closed it. */
static inline cll_record *close_record(const cll_experiment *experiment, uint64_t end_ticks)
{
    cll_recorder *own = cll_own_recorder;
    cll_record *record = own->innermost;
    if (record == NULL || record->experiment != experiment) {
        record = abandon_inside(own, experiment, end_ticks);
        if (record == NULL) {
            return NULL;
        }
    }
    if (cll_record_find_team != NULL) {
        cll_regions_hand_on(own, record);
    }
    own->innermost = record->is.enclosing;
    record->is.elapsed_ticks = end_ticks - record->start_ticks;
    if (cll_record_of_experiment != NULL) {
        cll_record_of_experiment(experiment, end_ticks, 0);
    }
    return record;
}

static void end_counters(const cll_experiment *experiment, cll_record *record, uint64_t end_ticks)
{
    cll_recorder *own = cll_own_recorder;
    cll_counters_end(own->counters, experiment, record->values + experiment->variable_count);
    cll_count_on(&own->beside_ticks, cll_clock_end() - end_ticks);
}

/* Whether the execution that ends now was left out. */
static inline int was_left_out(const cll_experiment *experiment)
{
    const cll_recorder *own = cll_own_recorder;
    return own->thinning != NULL && own->thinning->left_out_count > 0 && cll_thinning_end(own, experiment);
}

static inline void complete_record(cll_record *record, uint64_t end_ticks)
{
    cll_recorder *own = cll_own_recorder;
    cll_count_on(&own->pairs, 1);
    if (own->thinning != NULL) {
        cll_thinning_learn(own, record, end_ticks);
    }
    if (cll_record_find_team != NULL) {
        cll_regions_settle(record);
    }
    cll_record_become(record, record->processors == CLL_LEFT_OUT ? CLL_FORGOTTEN : CLL_MEASURED);
    if (end_ticks >= own->save_at_ticks) {
        cll_recorder_save(own);
    }
}

/* The clock first: what is looked at before it is in no cache where few executions are measured. */
void cll_end_measured(const cll_experiment *experiment)
{
    uint64_t end_ticks = cll_clock_end();
    cll_record *record = close_record(experiment, end_ticks);
    if (record == NULL) {
        return;
    }
    if ((experiment->counter_count | experiment->end_variable_count) != 0) {
        if (experiment->end_variable_count > 0) {
            fail_without_values(experiment);
        }
        end_counters(experiment, record, end_ticks);
    }
    complete_record(record, end_ticks);
}

void cll_end(const cll_experiment *experiment)
{
    if (!was_left_out(experiment)) {
        cll_end_measured(experiment);
    }
}

void cll_end_with(const cll_experiment *experiment, const cll_value *end_values)
{
    if (was_left_out(experiment)) {
        return;
    }
    uint64_t end_ticks = cll_clock_end();
    cll_record *record = close_record(experiment, end_ticks);
    if (record == NULL) {
        return;
    }
    if (experiment->counter_count > 0) {
        end_counters(experiment, record, end_ticks);
    }
    cll_value *values = record->values + (experiment->variable_count - experiment->end_variable_count);
    for (int variable = 0; variable < experiment->end_variable_count; variable++) {
        values[variable] = end_values[variable];
    }
    complete_record(record, end_ticks);
}

void cll_end_marked(cll_gate *gate, const cll_value *end_values)
{
    if (gate->deeper > 0) {
        gate->deeper--;
    } else {
        gate->marks >>= 1;
    }
    if (end_values != NULL) {
        cll_end_with(gate->experiment, end_values);
    } else {
        cll_end(gate->experiment);
    }
}

void cll_abandon(const cll_experiment *experiment)
{
    if (!was_left_out(experiment)) {
        cll_record *record = close_record(experiment, cll_clock_end());
        if (record != NULL) {
            cll_record_abandon(record);
        }
    }
}

void cll_leave(const cll_guard *guard)
{
    if (guard->experiment != NULL) cll_end(guard->experiment);
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

const cll_experiment cll_empty_pair = {.name = "empty pair"};

/* Odd numbers, so that the median is one of them. Simulated pairs take the same, and each reading of the clock is a call of the simulator. */
#ifdef CLL_SMPI
enum { PAIRS = 15, ROUNDS = 1 };
#else
enum { PAIRS = 143, ROUNDS = 7 };
#endif

static uint64_t elapsed_ticks[PAIRS * ROUNDS];

static void begin_and_end(int round)
{
    cll_recorder *own = cll_own_recorder;
    for (int pair = 0; pair < PAIRS; pair++) {
        cll_begin(&cll_empty_pair, NULL);
        cll_record *record = own->innermost;
        cll_end(&cll_empty_pair);
        elapsed_ticks[round * PAIRS + pair] = record->is.elapsed_ticks;
        cll_record_become(record, CLL_FORGOTTEN);
    }
}

static void begin_and_end_left_out(int round)
{
    (void)round;
    for (int pair = 0; pair < PAIRS; pair++) {
        cll_begin(&cll_empty_pair, NULL);
        cll_end(&cll_empty_pair);
    }
}

static void pass_gate(int round)
{
    static volatile uint32_t left = 0;
    (void)round;
    left = PAIRS + 1;
    for (int pair = 0; pair < PAIRS && left > 0; pair++) {
        left--;
    }
}

/* What a pair of the fastest round takes of the time: others were interrupted, or had to warm up. */
static double cost_of(void (*run)(int round))
{
    uint64_t ticks[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t start_ticks = cll_clock_begin();
        run(round);
        ticks[round] = cll_clock_begin() - start_ticks;
    }
    qsort(ticks, ROUNDS, sizeof *ticks, ascending);
    return (double)ticks[0] / PAIRS;
}

static void measure_costs(cll_recorder *own)
{
    cll_recorder before = *own;
    own->save_at_ticks = UINT64_MAX;
    own->thinning = NULL;
    cll_costs_known.pair = cost_of(begin_and_end);
    if (cll_budget_share() > 0) {
        cll_thinning_start(own);
        cll_thinning_hold(own, &cll_empty_pair);
        cll_costs_known.look = cost_of(begin_and_end_left_out);
        cll_costs_known.pass = cost_of(pass_gate);
        cll_thinning_release(own);
    }
    own->save_at_ticks = before.save_at_ticks;
    own->thinning = before.thinning;
    own->pairs = before.pairs;
    own->looks = before.looks;
    own->passes = before.passes;
}

static void measure_empty_pairs(void)
{
    cll_budget_start();
    if (!cll_recorder_is_any(cll_own_recorder)) {
        cll_recorder_start();
    }
    measure_costs(cll_recorder_make_room(PAIRS * ROUNDS * cll_record_bytes(&cll_empty_pair)));
    qsort(elapsed_ticks, PAIRS * ROUNDS, sizeof *elapsed_ticks, ascending);
    cll_clock_set_empty_pair(elapsed_ticks[PAIRS * ROUNDS / 2]);
}

void cll_measure_empty_pair(void)
{
    static pthread_once_t is_measured = PTHREAD_ONCE_INIT;
    pthread_once(&is_measured, measure_empty_pairs);
}

static int has_measured(void)
{
    cll_recorders_lock();
    int is_any = cll_recorders_first() != NULL;
    cll_recorders_unlock();
    return is_any;
}

void cll_measure_empty_pair_of_report(int is_told)
{
    if (is_told || has_measured()) {
        cll_measure_empty_pair();
    } else {
        cll_budget_start();
    }
}
