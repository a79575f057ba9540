/* thinning.c: points in a small cache for each experiment, blocks of their executions, and a price that keeps the budget. */
#include "thinning.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/table.h"
#include "cost.h"

enum {
    POINTS = 64, /* that are told apart at a time; a power of two */
    WAYS = 4,    /* places that a point may have */
    LARGEST_BLOCK = 1 << 16
};

/* The price is set anew when so much time has passed. */
#define WINDOW_NS 1000000

/* At least this part of the budget goes to measurements, whatever else costs and whatever was spent before. */
#define LEAST_PART 0.125

/* This part of the budget is divided among the experiments: those that come rarely are measured each time, however short they are. */
#define FREE_PART 0.25

/* A measurement stands for one of so many executions that have come before it at most, whatever the price: a thread that was interrupted pays for it with
 * many windows, and one row shall not make most of a point. */
#define LEAST_ROWS 32
/* The same of a gate, whose executions may be of several points. */
#define LEAST_LOOKS 256

/* Executions of which one is measured. */
typedef struct {
    uint32_t size;
    uint32_t chosen; /* its number among them */
    uint32_t passed; /* so many have come */
} execution_block;

typedef struct {
    uint64_t hash; /* of the values; 0: free */
    uint64_t seen; /* executions that were looked at, with those that they stand for */
    execution_block block;
    float mean_ticks; /* of the last measurements */
} thinned_point;

typedef struct cll_thinned {
    double executions; /* those that were measured stand for, as far as they count */
    double sum_ticks;
    double cost_ticks; /* of measuring it */
    uint64_t seen;
    uint64_t since_newcomer; /* executions since a point was new */
    double per_newcomer;   /* as it was the last times */
    execution_block newcomers; /* points that were met first, of which some are not measured where they are too many */
    size_t ways;
    size_t set_mask;
    thinned_point points[]; /* sets of `ways` each */
} thinned;

static const char purpose_of_thinning[] = "the budget of measuring: unset CALL_BUDGET";

static double wanted_budget(void)
{
    const char *text = getenv("CALL_BUDGET");
    char *end;
    if (text == NULL || *text == '\0') {
        return 0;
    }
    double share = strtod(text, &end);
    share = *end == '%' ? share / 100 : share;
    end += *end == '%';
    if (end == text || *end != '\0' || !(share > 0 && share < 1)) {
        cll_fail("CALL_BUDGET: `%s` is no share of the time that measuring may take: it is above 0 and below 100%%, as `1%%` or `0.01`, or "
                 "leave the variable unset",
                 text);
    }
    return share;
}

static void find_budget(void)
{
    double share = wanted_budget();
#ifdef CLL_SMPI
    if (share > 0) {
        cll_tell("CALL_BUDGET: this time is simulated, so everything is measured");
    }
    share = 0;
#endif
    __atomic_store(&cll_budget, &share, __ATOMIC_RELAXED);
    __atomic_store_n(&cll_executions_are_kept, share > 0, __ATOMIC_RELAXED);
}

int cll_budget_start(void)
{
    static pthread_once_t is_found = PTHREAD_ONCE_INIT;
    pthread_once(&is_found, find_budget);
    return cll_budget_share() > 0;
}

/* What measurements have cost that were not left out. */
static double cost_of_measured(const cll_recorder *own)
{
    return (double)own->pairs * cll_costs_known.pair + (double)own->beside_ticks;
}

void cll_thinning_start(cll_recorder *own)
{
    own->thinning = cll_allocate(1, sizeof *own->thinning, purpose_of_thinning);
    own->thinning->random = UINT64_C(0x9e3779b97f4a7c15);
    own->thinning->price = cll_budget_share();
    own->thinning->window_start_ticks = own->start_ticks;
    own->thinning->window_start_cost = cost_of_measured(own);
}

void cll_thinning_release(cll_recorder *recorder)
{
    cll_thinning *its = recorder->thinning;
    recorder->thinning = NULL;
    if (its == NULL) {
        return;
    }
    for (size_t at = 0; at < its->slot_count; at++) {
        free(its->slots[at].known);
    }
    free(its->slots);
    free(its->left_out);
    free(its);
}

/* xorshift64*: the same sequence in each run. */
static uint32_t random_below(cll_thinning *its, uint32_t limit)
{
    its->random ^= its->random >> 12;
    its->random ^= its->random << 25;
    its->random ^= its->random >> 27;
    uint64_t high = its->random * UINT64_C(2685821657736338717) >> 32;
    return (uint32_t)(high * limit >> 32);
}

/* Blocks grow slowly, so that rare points are measured. `most` by what was seen so far. */
static void begin_block(cll_thinning *its, execution_block *block, double wanted, double most)
{
    most = most < LARGEST_BLOCK ? most : LARGEST_BLOCK;
    most = wanted < most ? wanted : most;
    uint32_t doubled = block->size == 0 ? 1 : 2 * block->size;
    uint32_t size = most < 1 ? 1 : (uint32_t)most;
    block->size = size < doubled ? size : doubled;
    block->chosen = block->size == 1 ? 0 : random_below(its, block->size);
    block->passed = 0;
}

static int needs_next(const execution_block *block, uint64_t coming)
{
    return block->size - block->passed < coming;
}

/* So many executions come, of which one is looked at: returns for how many it stands if it is measured, 0: it is not. They may be the end of a block and
 * the begin of the next; what is more than a block is measured, and stands for itself. */
static uint64_t take(cll_thinning *its, execution_block *block, uint64_t coming, double wanted, double most)
{
    uint64_t stands_for = 0;
    while (coming > 0) {
        if (block->passed == block->size) {
            begin_block(its, block, wanted, most);
            if (block->size <= coming) {
                block->passed = block->size;
                return stands_for + coming;
            }
        }
        uint32_t rest = block->size - block->passed;
        uint32_t taken = coming < rest ? (uint32_t)coming : rest;
        int is_chosen = block->chosen >= block->passed && block->chosen - block->passed < taken;
        stands_for += is_chosen ? block->size : 0;
        block->passed += taken;
        coming -= taken;
    }
    return stands_for;
}

/* As of the last time that somebody looked at the clock. */
static int is_free(const cll_recorder *own, const thinned *experiment)
{
    double all_ticks = (double)(own->thinning->window_start_ticks - own->start_ticks);
    return experiment->cost_ticks * (double)own->thinning->experiment_count < FREE_PART * cll_budget_share() * all_ticks;
}

/* So large that a cost is worth the price of the time that its executions take. */
static double wanted_size(const cll_recorder *own, const thinned *experiment, double cost_ticks, double execution_ticks)
{
    double paid_ticks = own->thinning->price * execution_ticks;
    if (cost_ticks <= paid_ticks || is_free(own, experiment)) {
        return 1;
    }
    return cost_ticks > LARGEST_BLOCK * paid_ticks ? LARGEST_BLOCK : cost_ticks / paid_ticks;
}

static double mean_ticks(const thinned *experiment)
{
    return experiment->executions > 0 ? experiment->sum_ticks / experiment->executions : 0;
}

static cll_thinning_slot *slot_of_experiment(const cll_thinning *its, const cll_experiment *experiment)
{
    size_t mask = its->slot_count - 1;
    size_t at = (size_t)cll_hash_address(experiment) & mask;
    while (its->slots[at].experiment != NULL && its->slots[at].experiment != experiment) {
        at = (at + 1) & mask;
    }
    return &its->slots[at];
}

static int begin_variables(const cll_experiment *experiment)
{
    return experiment->variable_count - experiment->end_variable_count;
}

static thinned *make_thinned(const cll_experiment *experiment)
{
    size_t points = begin_variables(experiment) > 0 ? POINTS : 1;
    thinned *made = cll_allocate(1, sizeof *made + points * sizeof *made->points, purpose_of_thinning);
    made->ways = points < WAYS ? points : WAYS;
    made->set_mask = points / made->ways - 1;
    return made;
}

static void grow_slots(cll_thinning *its)
{
    cll_thinning grown = *its;
    grown.slot_count = its->slot_count == 0 ? 64 : 2 * its->slot_count;
    grown.slots = cll_allocate(grown.slot_count, sizeof *grown.slots, purpose_of_thinning);
    for (size_t at = 0; at < its->slot_count; at++) {
        if (its->slots[at].experiment != NULL) {
            *slot_of_experiment(&grown, its->slots[at].experiment) = its->slots[at];
        }
    }
    free(its->slots);
    *its = grown;
}

static thinned *add_thinned(cll_recorder *own, const cll_experiment *experiment)
{
    cll_thinning *its = own->thinning;
    uint64_t stopped_ticks = cll_cost_stop_clocks(own);
    if (2 * ++its->experiment_count > its->slot_count) {
        grow_slots(its);
    }
    cll_thinning_slot *slot = slot_of_experiment(its, experiment);
    slot->experiment = experiment;
    slot->known = make_thinned(experiment);
    cll_cost_start_clocks(own, stopped_ticks);
    return slot->known;
}

static thinned *find_thinned(cll_recorder *own, const cll_experiment *experiment)
{
    const cll_thinning *its = own->thinning;
    const cll_thinning_slot *slot = its->slot_count == 0 ? NULL : slot_of_experiment(its, experiment);
    return slot != NULL && slot->experiment != NULL ? slot->known : add_thinned(own, experiment);
}

/* The machine in use belongs to the point: in OpenMP programs the team at the begin, which is the lower half. Never 0. */
static uint64_t hash_of(const cll_experiment *experiment, const cll_value *values, int32_t processors)
{
    uint64_t hash = (uint16_t)processors;
    for (int variable = 0; variable < begin_variables(experiment); variable++) {
        hash = cll_hash_word(hash, values[variable].natural);
    }
    return hash | 1;
}

/* That of the point; else a free one, or that of the rarest point. */
static thinned_point *place_of_point(thinned *experiment, uint64_t hash)
{
    thinned_point *set = &experiment->points[((size_t)(hash >> 1) & experiment->set_mask) * experiment->ways];
    thinned_point *rarest = set;
    for (thinned_point *at = set; at < set + experiment->ways; at++) {
        if (at->hash == hash) {
            return at;
        }
        rarest = at->block.size < rarest->block.size ? at : rarest;
    }
    return rarest;
}

/* A point that takes the place of another one in the cache. Mostly it is measured at once; where nearly all points are new, as no two
 * executions have the same values, one of a block of them. */
static uint64_t look_at_newcomer(cll_recorder *own, thinned *experiment, uint64_t passed)
{
    double size = 0;
    experiment->per_newcomer += ((double)experiment->since_newcomer - experiment->per_newcomer) / 4;
    experiment->since_newcomer = 0;
    if (needs_next(&experiment->newcomers, passed)) {
        double ticks = experiment->per_newcomer * mean_ticks(experiment);
        size = (double)passed * wanted_size(own, experiment, cll_costs_known.pair, ticks);
    }
    return take(own->thinning, &experiment->newcomers, passed, size, (double)experiment->seen / LEAST_ROWS);
}

/* `passed`: one of so many executions is looked at. */
static uint64_t look_at_point(cll_recorder *own, const thinned *experiment, thinned_point *point, uint64_t passed)
{
    double size = 0;
    if (needs_next(&point->block, passed)) {
        double ticks = point->mean_ticks > 0 ? (double)point->mean_ticks : mean_ticks(experiment);
        size = wanted_size(own, experiment, cll_costs_known.pair, ticks);
    }
    return take(own->thinning, &point->block, passed, size, (double)point->seen / LEAST_ROWS);
}

uint64_t cll_thinning_look(cll_recorder *own, const cll_experiment *experiment, const cll_value *values, uint64_t passed)
{
    thinned *found = find_thinned(own, experiment);
    int32_t processors = own->team != 0 ? own->team : __atomic_load_n(&cll_processors, __ATOMIC_RELAXED);
    uint64_t hash = hash_of(experiment, values, processors);
    thinned_point *point = place_of_point(found, hash);
    cll_count_on(&own->looks, 1);
    found->seen += passed;
    found->since_newcomer += passed;
    found->cost_ticks += cll_costs_known.look;
    if (point->hash == hash) {
        point->seen += passed;
        return look_at_point(own, found, point, passed);
    }
    int is_first = point->hash == 0;
    *point = (thinned_point){.hash = hash, .seen = passed};
    return is_first ? passed : look_at_newcomer(own, found, passed);
}

/* The rest of this block, and what comes before the chosen one of the next. */
void cll_thinning_pass(cll_recorder *own, const cll_experiment *experiment, cll_gate *gate)
{
    const thinned *found = find_thinned(own, experiment);
    double ticks = mean_ticks(found);
    execution_block next = {gate->block, 0, 0};
    uint32_t rest = gate->block == 0 ? 0 : gate->block - 1 - gate->chosen;
    begin_block(own->thinning, &next, wanted_size(own, found, cll_costs_known.look, ticks), (double)found->seen / LEAST_LOOKS);
    cll_count_on(&own->passes, gate->passed);
    gate->block = next.size;
    gate->chosen = next.chosen;
    gate->left = gate->passed = rest + next.chosen;
}

static void learn_time(cll_recorder *own, const cll_record *record)
{
    enum { REMEMBERED = 1 << 20 };
    thinned *experiment = find_thinned(own, record->experiment);
    thinned_point *point = place_of_point(experiment, hash_of(record->experiment, record->values, record->processors));
    double executions = (double)cll_record_executions(record);
    float ticks = (float)record->is.elapsed_ticks;
    if (experiment->executions > REMEMBERED) {
        experiment->executions /= 2;
        experiment->sum_ticks /= 2;
    }
    experiment->executions += executions;
    experiment->sum_ticks += executions * (double)ticks;
    experiment->cost_ticks += cll_costs_known.pair;
    if (point->hash == hash_of(record->experiment, record->values, record->processors)) {
        point->mean_ticks = point->mean_ticks > 0 ? point->mean_ticks + (ticks - point->mean_ticks) / 4 : ticks;
    }
}

/* What was spent in the last window against what may be in the next one: the price follows, so that all together stays at the budget. What
 * looks take cannot be saved by measuring less. */
static double next_price(const cll_recorder *own, uint64_t now_ticks)
{
    const cll_thinning *its = own->thinning;
    double window_ticks = (double)(now_ticks - its->window_start_ticks);
    double all_ticks = (double)(now_ticks - own->start_ticks) + window_ticks;
    double allowed = cll_budget_share() * all_ticks - cll_cost_of(own);
    double least = LEAST_PART * cll_budget_share() * window_ticks;
    double most = 2 * cll_budget_share() * window_ticks;
    double spent = cost_of_measured(own) - its->window_start_cost;
    allowed = allowed > least ? allowed : least;
    allowed = allowed < most ? allowed : most;
    double factor = spent > 0 ? allowed / spent : 2;
    return its->price * (factor < 0.25 ? 0.25 : factor > 2 ? 2 : factor);
}

static void set_price(cll_recorder *own, uint64_t now_ticks)
{
    cll_thinning *its = own->thinning;
    double price = next_price(own, now_ticks);
    double lowest = cll_budget_share() / LARGEST_BLOCK;
    its->price = price > 1 ? 1 : price < lowest ? lowest : price;
    its->window_start_ticks = now_ticks;
    its->window_start_cost = cost_of_measured(own);
}

void cll_thinning_learn(cll_recorder *own, const cll_record *record, uint64_t end_ticks)
{
    cll_thinning *its = own->thinning;
    learn_time(own, record);
    if (end_ticks - its->window_start_ticks >= cll_clock_ticks(WINDOW_NS)) {
        set_price(own, end_ticks);
    }
}

void cll_thinning_make_room(cll_recorder *own)
{
    cll_thinning *its = own->thinning;
    uint64_t stopped_ticks = cll_cost_stop_clocks(own);
    its->left_out_capacity = its->left_out_capacity == 0 ? 1024 : 2 * its->left_out_capacity;
    its->left_out = cll_reallocate(its->left_out, its->left_out_capacity, sizeof *its->left_out, purpose_of_thinning);
    cll_cost_start_clocks(own, stopped_ticks);
}

/* Inner ones have been left without their end. */
int cll_thinning_end(const cll_recorder *own, const cll_experiment *experiment)
{
    cll_thinning *its = own->thinning;
    const cll_record *open = own->innermost;
    size_t left = its->left_out_count;
    for (;;) {
        while (left > 0 && its->left_out[left - 1].enclosing == open) {
            left--;
            if (its->left_out[left].experiment == experiment) {
                its->left_out_count = left;
                return 1;
            }
        }
        if (open == NULL || open->experiment == experiment) {
            break;
        }
        open = open->is.enclosing;
    }
    its->left_out_count = open == NULL ? its->left_out_count : left;
    return 0;
}

void cll_thinning_hold(cll_recorder *own, const cll_experiment *experiment)
{
    thinned *found = find_thinned(own, experiment);
    thinned_point *point = &found->points[0];
    point->hash = hash_of(experiment, NULL, own->team != 0 ? own->team : cll_processors);
    point->block = (execution_block){UINT32_MAX, UINT32_MAX, 0};
}
