/* counters.c: which counters there are, from where each of them comes, and what a thread has counted. */
#include "counters.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../base/thread.h"
#include "../program/units.h"
#include "counters_callgrind.h"
#include "counters_papi.h"
#include "counters_perf.h"
#include "counters_usage.h"

/* A counter of the program. */
typedef struct {
    const char *name;
    char refusal[240]; /* why it is missing, in some thread at least */
    int was_tried;
    int was_told;
} counter_slot;

/* Where the counters of an experiment stand. */
typedef struct known_experiment {
    const cll_experiment *experiment;
    struct known_experiment *next;
    int slots[]; /* -1: there are too many counters */
} known_experiment;

struct cll_counters {
    int started; /* so many slots have been looked at */
    int is_of_parent;
    const known_experiment *last; /* the experiment that was found before, mostly the same again */
    cll_papi_set papi;
    cll_perf_group software; /* apart, since they are never multiplexed */
    cll_perf_group hardware;
    cll_usage_group usage;
    cll_callgrind_group simulated;
    unsigned char is_counted[CLL_MOST_COUNTERS];
    uint64_t totals[CLL_MOST_COUNTERS];
    uint64_t stopped_totals[CLL_MOST_COUNTERS];
};

/* The processors of SimGrid's SMPI take turns in one thread, whose events are not theirs. */
#ifdef CLL_SMPI
enum { IS_SIMULATED = 1 };
#else
enum { IS_SIMULATED = 0 };
#endif

typedef enum {
    COUNT_WITH_ALL,
    COUNT_WITH_PAPI,
    COUNT_WITH_PERF,
    COUNT_WITH_USAGE,
    COUNT_WITH_CALLGRIND,
    COUNT_WITH_NOTHING
} counting_choice;

/* The lists only grow, so reading needs no lock. */
static counter_slot counter_slots[CLL_MOST_COUNTERS];
static int slot_count = 0;
static known_experiment *first_known = NULL;
static pthread_mutex_t counters_lock = PTHREAD_MUTEX_INITIALIZER;

static CLL_PER_THREAD cll_counters *own_counters = NULL;

static int is_multiplexed = 0;

static counting_choice counting(void)
{
    static const char *const names[] = {"", "papi", "perf", "getrusage", "callgrind", "off"};
    const char *wanted = getenv("CALL_COUNTERS");
    if (wanted == NULL) {
        return COUNT_WITH_ALL;
    }
    for (int choice = COUNT_WITH_ALL; choice <= COUNT_WITH_NOTHING; choice++) {
        if (strcmp(wanted, names[choice]) == 0) {
            return (counting_choice)choice;
        }
    }
    cll_fail("CALL_COUNTERS: nothing counts with `%s`: it is `papi`, `perf`, `getrusage`, `callgrind` or `off`, or leave the variable unset",
             wanted);
}

static int find_slot(const char *name)
{
    int count = __atomic_load_n(&slot_count, __ATOMIC_ACQUIRE);
    for (int slot = 0; slot < count; slot++) {
        if (strcmp(counter_slots[slot].name, name) == 0) {
            return slot;
        }
    }
    return -1;
}

static int find_or_add_slot(const char *name)
{
    int slot = find_slot(name);
    if (slot < 0 && slot_count < CLL_MOST_COUNTERS) {
        slot = slot_count;
        counter_slots[slot].name = name;
        __atomic_store_n(&slot_count, slot + 1, __ATOMIC_RELEASE);
    }
    return slot;
}

static const known_experiment *find_known(const cll_experiment *experiment)
{
    const known_experiment *known = __atomic_load_n(&first_known, __ATOMIC_ACQUIRE);
    while (known != NULL && known->experiment != experiment) {
        known = __atomic_load_n(&known->next, __ATOMIC_ACQUIRE);
    }
    return known;
}

/* Under the lock. */
static void learn_experiment(const cll_experiment *experiment)
{
    if (experiment->counter_count == 0 || find_known(experiment) != NULL) {
        return;
    }
    known_experiment *made = malloc(sizeof *made + (size_t)experiment->counter_count * sizeof *made->slots);
    if (made == NULL) {
        cll_fail("no memory for the counters of experiment %s", experiment->name);
    }
    made->experiment = experiment;
    made->next = first_known;
    for (int counter = 0; counter < experiment->counter_count; counter++) {
        made->slots[counter] = find_or_add_slot(experiment->counters[counter]);
    }
    __atomic_store_n(&first_known, made, __ATOMIC_RELEASE);
}

/* Semicolons and parentheses stand around it in the header of the trace. */
static void refuse_slot(int slot, const char *papi, const char *others)
{
    char *refusal = counter_slots[slot].refusal;
    if (*refusal != '\0') {
        return;
    }
    snprintf(refusal, sizeof counter_slots[slot].refusal, "%s%s%s%s", papi == NULL ? "" : "PAPI: ", papi == NULL ? "" : papi,
             papi == NULL || others == NULL ? "" : ", ", others == NULL ? "" : others);
    for (char *at = refusal; *at != '\0'; at++) {
        *at = *at == ';' ? ',' : *at == '(' ? '[' : *at == ')' ? ']' : *at;
    }
}

/* What the kernel tells every thread costs half of what a perf event does, and is always allowed. */
static const char *add_kernel_slot(cll_counters *own, int slot, counting_choice choice)
{
    const cll_perf_event *event = cll_perf_find(counter_slots[slot].name);
    if (event == NULL) {
        return "perf: there is no such event";
    }
    const char *usage = "";
    const char *perf = "";
    if (choice != COUNT_WITH_PERF || event->kind == CLL_PERF_CLOCK) {
        usage = cll_usage_add(&own->usage, event->name, slot);
    }
    if (usage != NULL && choice != COUNT_WITH_USAGE && event->kind != CLL_PERF_CLOCK) {
        perf = cll_perf_add(event->kind == CLL_PERF_HARDWARE ? &own->hardware : &own->software, event, slot);
    }
    own->is_counted[slot] = perf == NULL || usage == NULL;
    return own->is_counted[slot] ? NULL : *perf != '\0' ? perf : usage;
}

static const char *add_papi_slot(cll_counters *own, int slot)
{
    const char *refusal = cll_papi_add(&own->papi, counter_slots[slot].name, slot);
    own->is_counted[slot] = refusal == NULL;
    return refusal;
}

static const char *add_simulated_slot(cll_counters *own, int slot)
{
    const char *refusal = cll_callgrind_add(&own->simulated, counter_slots[slot].name, slot);
    own->is_counted[slot] = refusal == NULL;
    return refusal;
}

/* The kernel's own names are for the kernel first, all others for PAPI. PAPI counts in the program itself only. */
static void start_slot(cll_counters *own, int slot, counting_choice choice)
{
    const char *papi = NULL;
    const char *kernel = NULL;
    const cll_perf_event *event = cll_perf_find(counter_slots[slot].name);
    int is_of_kernel = strncmp(counter_slots[slot].name, "PAPI_", 5) != 0 && strchr(counter_slots[slot].name, ':') == NULL;
    int with_papi = !IS_SIMULATED && (choice == COUNT_WITH_ALL || choice == COUNT_WITH_PAPI);
    int with_kernel = !IS_SIMULATED && choice != COUNT_WITH_PAPI && choice != COUNT_WITH_CALLGRIND && choice != COUNT_WITH_NOTHING;
    if (is_of_kernel && with_kernel) {
        kernel = add_kernel_slot(own, slot, choice);
    }
    if (!own->is_counted[slot] && with_papi) {
        papi = event != NULL && event->kind == CLL_PERF_KERNEL ? "it does not count inside the kernel" : add_papi_slot(own, slot);
    }
    if (!own->is_counted[slot] && with_kernel && !is_of_kernel) {
        kernel = add_kernel_slot(own, slot, choice);
    }
    if (choice == COUNT_WITH_NOTHING) {
        refuse_slot(slot, NULL, "CALL_COUNTERS=off");
    } else if (IS_SIMULATED) {
        refuse_slot(slot, NULL, "simulated processors share one thread");
    } else if (choice == COUNT_WITH_CALLGRIND) {
        refuse_slot(slot, NULL, add_simulated_slot(own, slot));
    } else if (!own->is_counted[slot]) {
        refuse_slot(slot, papi, kernel);
    }
    counter_slots[slot].was_tried = 1;
}

/* What PAPI takes one by one it may still refuse together; the kernel has the next turn. */
static void start_papi(cll_counters *own, counting_choice choice)
{
    const char *refusal = cll_papi_start(&own->papi);
    if (refusal == NULL) {
        return;
    }
    for (int event = 0; event < own->papi.count; event++) {
        int slot = own->papi.slots[event];
        const char *kernel = NULL;
        own->is_counted[slot] = 0;
        if (choice != COUNT_WITH_PAPI) {
            kernel = add_kernel_slot(own, slot, choice);
        }
        if (!own->is_counted[slot]) {
            refuse_slot(slot, refusal, kernel);
        }
    }
    cll_papi_close(&own->papi);
}

static void lose_events(cll_counters *own, const int *lost, int count, const char *reason)
{
    pthread_mutex_lock(&counters_lock);
    for (int event = 0; event < count; event++) {
        own->is_counted[lost[event]] = 0;
        refuse_slot(lost[event], NULL, reason);
    }
    pthread_mutex_unlock(&counters_lock);
}

/* A program may have closed the files; then their numbers may be those of others now, and are left alone. */
static inline void read_group(cll_counters *own, cll_perf_group *group)
{
    if (group->count > 0) {
        int result = cll_perf_read(group, own->totals);
        if (result > 0) {
            __atomic_store_n(&is_multiplexed, 1, __ATOMIC_RELAXED);
        } else if (result < 0) {
            lose_events(own, group->slots, group->count, "perf: its file was closed");
            group->count = 0;
        }
    }
}

static void read_events(cll_counters *own)
{
    read_group(own, &own->software);
    read_group(own, &own->hardware);
    if (own->usage.count > 0) {
        cll_usage_read(&own->usage, own->totals);
    }
    if (own->simulated.count > 0 && cll_callgrind_read(&own->simulated, own->totals) < 0) {
        lose_events(own, own->simulated.slots, own->simulated.count, "callgrind: what it has written cannot be read");
        own->simulated.count = 0;
    }
    if (cll_papi_read(&own->papi, own->totals) < 0) {
        lose_events(own, own->papi.slots, own->papi.count, "PAPI: reading failed");
        own->papi.is_running = 0;
    }
}

/* Under the lock. */
static void start_new_slots(cll_counters *own)
{
    counting_choice choice = counting();
    if (own->started > 0) {
        cll_papi_stop(&own->papi);
    }
    for (; own->started < slot_count; own->started++) {
        start_slot(own, own->started, choice);
    }
    start_papi(own, choice);
}

/* In a new process the files and event sets are still those of the thread that forked. */
static void leave_parent(cll_counters *own)
{
    cll_perf_close(&own->software);
    cll_perf_close(&own->hardware);
    memset(&own->usage, 0, sizeof own->usage);
    memset(&own->simulated, 0, sizeof own->simulated);
    memset(&own->papi, 0, sizeof own->papi);
    memset(own->is_counted, 0, sizeof own->is_counted);
    own->started = 0;
    own->is_of_parent = 0;
}

/* Counts all that the program wants to be counted. */
static void catch_up(cll_counters *own)
{
    if (!own->is_of_parent) {
        read_events(own);
    }
    pthread_mutex_lock(&counters_lock);
    if (own->is_of_parent) {
        leave_parent(own);
    }
    start_new_slots(own);
    pthread_mutex_unlock(&counters_lock);
}

static int is_behind(const cll_counters *own)
{
    return own->is_of_parent || own->started != __atomic_load_n(&slot_count, __ATOMIC_RELAXED);
}

/* What is counted up to a fork belongs to the measurements that are open then. */
static void before_fork(void)
{
    if (own_counters != NULL && !own_counters->is_of_parent) {
        read_events(own_counters);
    }
    pthread_mutex_lock(&counters_lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&counters_lock);
}

static void after_fork_in_child(void)
{
    if (own_counters != NULL) {
        own_counters->is_of_parent = 1;
    }
    pthread_mutex_unlock(&counters_lock);
}

static cll_counters *make_counters(void)
{
    static int watches_forks = 0;
    cll_counters *own = cll_allocate(1, sizeof *own, "the counters of a thread");
    pthread_mutex_lock(&counters_lock);
    if (!IS_SIMULATED && !watches_forks && pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0) {
        cll_fail("no memory to watch the forks of this program");
    }
    watches_forks = 1;
    start_new_slots(own);
    pthread_mutex_unlock(&counters_lock);
    return own;
}

static cll_counters *start_all(void)
{
    pthread_mutex_lock(&counters_lock);
    cll_units_visit(learn_experiment);
    int is_wanted = slot_count > 0;
    pthread_mutex_unlock(&counters_lock);
    return is_wanted ? make_counters() : NULL;
}

cll_counters *cll_counters_open(void)
{
    own_counters = start_all();
    return own_counters;
}

void cll_counters_close(cll_counters *counters)
{
    if (counters == NULL) {
        return;
    }
    pthread_mutex_lock(&counters_lock);
    if (counters->is_of_parent) {
        leave_parent(counters);
    }
    cll_perf_close(&counters->software);
    cll_perf_close(&counters->hardware);
    cll_papi_close(&counters->papi);
    if (counters == own_counters) {
        own_counters = NULL;
    }
    pthread_mutex_unlock(&counters_lock);
    free(counters);
}

void cll_counters_forked(cll_counters *counters)
{
    if (counters != NULL && is_behind(counters)) {
        catch_up(counters);
    }
}

void cll_counters_abandon(cll_counters *counters)
{
    if (counters != NULL) {
        counters->is_of_parent = 1;
        cll_counters_close(counters);
    }
}

static const known_experiment *experiment_in(cll_counters *own, const cll_experiment *experiment)
{
    if (own->last == NULL || own->last->experiment != experiment) {
        own->last = find_known(experiment);
    }
    return own->last;
}

static void write_missing(const cll_experiment *experiment, cll_value *values)
{
    for (int counter = 0; counter < experiment->counter_count; counter++) {
        values[counter].natural = CLL_COUNTER_MISSING;
    }
}

/* In a unit that nobody registered before its first use. */
static cll_counters *meet_experiment(cll_counters *own, const cll_experiment *experiment)
{
    pthread_mutex_lock(&counters_lock);
    learn_experiment(experiment);
    pthread_mutex_unlock(&counters_lock);
    if (own == NULL) {
        own = cll_counters_open();
    }
    return own;
}

void cll_counters_begin(cll_counters **of_thread, const cll_experiment *experiment, cll_value *values)
{
    cll_counters *own = *of_thread;
    if (own == NULL || experiment_in(own, experiment) == NULL) {
        own = *of_thread = meet_experiment(own, experiment);
    }
    if (own == NULL) {
        write_missing(experiment, values);
        return;
    }
    if (is_behind(own)) {
        catch_up(own);
    }
    read_events(own);
    const known_experiment *known = experiment_in(own, experiment);
    for (int counter = 0; counter < experiment->counter_count; counter++) {
        int slot = known->slots[counter];
        values[counter].natural = slot >= 0 && own->is_counted[slot] ? own->totals[slot] : CLL_COUNTER_MISSING;
    }
}

void cll_counters_end(cll_counters *own, const cll_experiment *experiment, cll_value *values)
{
    if (own == NULL) {
        write_missing(experiment, values);
        return;
    }
    if (own->is_of_parent) {
        catch_up(own);
    }
    read_events(own);
    const known_experiment *known = experiment_in(own, experiment);
    for (int counter = 0; counter < experiment->counter_count; counter++) {
        int slot = known == NULL ? -1 : known->slots[counter];
        int is_counted = values[counter].natural != CLL_COUNTER_MISSING && slot >= 0 && own->is_counted[slot];
        values[counter].natural = is_counted ? own->totals[slot] - values[counter].natural : CLL_COUNTER_MISSING;
    }
}

void cll_counters_stop(cll_counters *counters)
{
    if (counters != NULL && !counters->is_of_parent) {
        read_events(counters);
        memcpy(counters->stopped_totals, counters->totals, sizeof counters->totals);
    }
}

void cll_counters_go_on(cll_counters *counters)
{
    if (counters != NULL && !counters->is_of_parent) {
        read_events(counters);
        memcpy(counters->totals, counters->stopped_totals, sizeof counters->totals);
    }
}

static int was_tried(int slot)
{
    pthread_mutex_lock(&counters_lock);
    int its = slot >= 0 && counter_slots[slot].was_tried;
    pthread_mutex_unlock(&counters_lock);
    return its;
}

const char *cll_counter_missing(const char *name)
{
    if (!was_tried(find_slot(name))) {
        cll_counters_close(start_all()); /* this processor has not measured */
    }
    int slot = find_slot(name);
    if (slot < 0) {
        return "the program has more than 32 counters";
    }
    pthread_mutex_lock(&counters_lock);
    const char *refusal = counter_slots[slot].refusal[0] == '\0' ? NULL : counter_slots[slot].refusal;
    pthread_mutex_unlock(&counters_lock);
    return refusal;
}

void cll_counter_tell_missing(const char *name)
{
    const char *refusal = cll_counter_missing(name);
    int slot = find_slot(name);
    if (refusal == NULL || (slot >= 0 && counter_slots[slot].was_told) || counting() == COUNT_WITH_NOTHING) {
        return;
    }
    if (counting() == COUNT_WITH_CALLGRIND && cll_callgrind_has_other_level(name)) {
        return;
    }
    cll_tell("%s is not counted: %s", name, refusal);
    if (slot >= 0) {
        counter_slots[slot].was_told = 1;
    }
}

int cll_counters_are_multiplexed(void)
{
    return __atomic_load_n(&is_multiplexed, __ATOMIC_RELAXED);
}
