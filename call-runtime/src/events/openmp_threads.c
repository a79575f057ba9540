/* openmp_threads.c: the events of threads. A region begins as a broadcast of the main thread, for which the others have waited since the region
 * before; its barriers and its end are barriers of its team. */
#include "openmp_threads.h"

#include <pthread.h>
#include <string.h>

#include "../base/fail.h"
#include "../bsp/call_sites.h"
#include "../measuring/measurement.h"
#include "event_definitions.h"
#include "event_saving.h"

cll_openmp_region cll_openmp_now;

static cll_openmp_thread *openmp_threads[CLL_MOST_OPENMP_THREADS];
static int openmp_thread_count = 0;
static uint32_t communicator_of_size[CLL_MOST_OPENMP_THREADS + 1]; /* plus 1; 0: none yet */
static uint64_t openmp_origin_ticks = 0;
static uint64_t openmp_section_ticks = 0; /* since when events are of the next report */
static CLL_PER_THREAD cll_openmp_thread *openmp_own = NULL;
static pthread_mutex_t openmp_lock = PTHREAD_MUTEX_INITIALIZER; /* of what all threads have in common: call sites, communicators, experiments */

int cll_openmp_has_started(void)
{
    return openmp_thread_count > 0;
}

/* A thread of the system that has gone on to something else may still be told of the end of its barrier. */
cll_openmp_thread *cll_openmp_own(void)
{
    cll_openmp_thread *own = openmp_own;
    return own != NULL && __atomic_load_n(&own->owner, __ATOMIC_RELAXED) == &openmp_own ? own : NULL;
}

int cll_openmp_is_main(const cll_openmp_thread *thread)
{
    return thread == openmp_threads[0];
}

static void be_owner_of(cll_openmp_thread *thread)
{
    openmp_own = thread;
    cll_own_events = &thread->stream;
    __atomic_store_n(&thread->owner, &openmp_own, __ATOMIC_RELAXED);
}

static void add_openmp_thread(int number)
{
    cll_openmp_thread *made = cll_allocate(1, sizeof *made, "the events of threads");
    memset(made, 0, sizeof *made);
    pthread_mutex_lock(&openmp_lock);
    cll_event_stream_start(&made->stream, number, openmp_origin_ticks);
    cll_events_save_stream(&made->stream);
    made->idle_since_ticks = openmp_section_ticks;
    openmp_threads[number] = made;
    openmp_thread_count++;
    pthread_mutex_unlock(&openmp_lock);
}

static void note_enter(uint32_t site, uint64_t now_ticks)
{
    cll_event_finish(cll_event_natural(cll_event_start(CLL_EVENT_ENTER, now_ticks), site));
}

static void note_leave(uint64_t now_ticks)
{
    cll_event_finish(cll_event_start(CLL_EVENT_LEAVE, now_ticks));
}

static void note_together(cll_event_operation operation, uint32_t communicator, int root, uint64_t now_ticks)
{
    unsigned char *at = cll_event_start(CLL_EVENT_COLLECTIVE, now_ticks);
    *at++ = (unsigned char)operation;
    at = cll_event_natural(at, communicator);
    at = cll_event_natural(at, (uint64_t)(root + 1));
    memset(at, 0, 2); /* no bytes */
    cll_event_finish(at + 2);
}

/* Of the first threads, whatever region they are the team of. */
static uint32_t communicator_of(int size)
{
    uint32_t known = __atomic_load_n(&communicator_of_size[size], __ATOMIC_ACQUIRE);
    if (known > 0) {
        return known - 1;
    }
    pthread_mutex_lock(&openmp_lock);
    if (communicator_of_size[size] == 0) {
        int *threads = cll_allocate((size_t)size, sizeof *threads, "the events of threads");
        for (int thread = 0; thread < size; thread++) {
            threads[thread] = thread;
        }
        uint32_t made = cll_event_communicator_add(0, size, threads, size);
        __atomic_store_n(&communicator_of_size[size], made + 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&openmp_lock);
    return communicator_of_size[size] - 1;
}

static uint32_t site_of(cll_openmp_thread *own, const char *call, const void *caller)
{
    uint32_t region = cll_openmp_now.site;
    size_t place = ((uintptr_t)caller / 4 ^ (uintptr_t)call) % CLL_KNOWN_OPENMP_CALLS;
    cll_known_openmp_call *known = &own->known[place];
    if (known->call != call || known->caller != caller || known->region != region) {
        pthread_mutex_lock(&openmp_lock);
        known->site = cll_call_site_inside(call, caller, region);
        cll_call_sites_make_room();
        pthread_mutex_unlock(&openmp_lock);
        known->call = call;
        known->caller = caller;
        known->region = region;
    }
    return known->site;
}

static void record_thread_experiment(const cll_experiment *experiment, uint64_t now_ticks, int begins)
{
    cll_openmp_thread *own = cll_openmp_own();
    if (own == NULL || experiment == &cll_empty_pair || (!begins && own->open_experiments == 0)) {
        return; /* of a thread that is not recorded, or begun before recording */
    }
    own->open_experiments += begins ? 1 : -1;
    size_t place = (uintptr_t)experiment / 16 % CLL_KNOWN_OPENMP_CALLS;
    cll_known_openmp_call *known = &own->known_experiments[place];
    if (known->caller != experiment) {
        pthread_mutex_lock(&openmp_lock);
        known->site = cll_event_experiment(experiment);
        pthread_mutex_unlock(&openmp_lock);
        known->caller = experiment;
    }
    unsigned char *at = cll_event_start(begins ? CLL_EVENT_EXPERIMENT_BEGIN : CLL_EVENT_EXPERIMENT_END, now_ticks);
    cll_event_finish(cll_event_natural(at, known->site));
}

/* For all threads on their behalf, who wait for a region. */
static void close_events(void *caller)
{
    cll_event_stream *own = cll_own_events;
    if (!cll_events_are_there()) {
        return;
    }
    uint64_t now_ticks = cll_clock_end();
    cll_call_site_caller = caller;
    uint32_t site = caller == NULL ? cll_call_site_nowhere("omp_end") : cll_call_site_here("omp_end");
    cll_call_sites_make_room();
    for (int number = 0; number < openmp_thread_count; number++) {
        cll_own_events = &openmp_threads[number]->stream;
        note_enter(site, number == 0 ? now_ticks : openmp_threads[number]->idle_since_ticks);
        note_together(CLL_OPERATION_FINALISE, communicator_of(openmp_thread_count), -1, now_ticks);
        note_leave(now_ticks);
    }
    cll_own_events = own;
}

/* The first event of a processor says since when it is recorded. */
static void reopen_events(void)
{
    cll_event_stream *own = cll_own_events;
    if (!cll_events_are_there()) {
        return;
    }
    openmp_section_ticks = cll_clock_begin();
    for (int number = 0; number < openmp_thread_count; number++) {
        openmp_threads[number]->idle_since_ticks = openmp_section_ticks;
    }
    cll_own_events = &openmp_threads[0]->stream;
    note_enter(cll_call_site_nowhere("omp_start"), openmp_section_ticks);
    note_leave(openmp_section_ticks);
    cll_call_sites_make_room();
    cll_own_events = own;
}

void cll_openmp_start(uint64_t origin_ticks)
{
    openmp_origin_ticks = openmp_section_ticks = origin_ticks;
    cll_events_start_saving(CLL_OPENMP);
    cll_call_sites_start();
    cll_call_sites_make_room();
    cll_event_clock_is(1);
    add_openmp_thread(0);
    be_owner_of(openmp_threads[0]);
    note_enter(cll_call_site_nowhere("omp_start"), origin_ticks);
    note_leave(origin_ticks);
    cll_call_sites_make_room();
    cll_record_of_experiment = record_thread_experiment;
    cll_events_close = close_events;
    cll_events_reopen = reopen_events;
}

/* By the counting clock a thread that has waited is as late as the one that it waited for. */
static void note_latest(const cll_openmp_thread *own)
{
    uint64_t *latest_ns = &cll_openmp_now.latest_ns[own->barriers % 2];
    uint64_t before_ns = __atomic_load_n(latest_ns, __ATOMIC_RELAXED);
    while (cll_clock_in_use == CLL_CLOCK_COUNTING && before_ns < cll_clock_count_ns &&
           !__atomic_compare_exchange_n(latest_ns, &before_ns, cll_clock_count_ns, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void be_as_late(uint64_t latest_ns)
{
    if (cll_clock_in_use == CLL_CLOCK_COUNTING && cll_clock_count_ns < latest_ns) {
        cll_clock_count_ns = latest_ns;
    }
}

void cll_openmp_fork(const void *caller, const void *frame)
{
    cll_openmp_region *now = &cll_openmp_now;
    __atomic_store_n(&cll_events_are_growing, 1, __ATOMIC_RELAXED);
    now->fork_ticks = cll_clock_end();
    now->number++;
    now->caller = caller;
    now->fork_ns = now->latest_ns[0] = now->latest_ns[1] = cll_clock_count_ns;
    cll_call_site_caller = (void *)(uintptr_t)caller;
    now->site = frame == NULL ? cll_call_site_here("omp_parallel") : cll_call_site_above("omp_parallel", frame);
    cll_call_sites_make_room();
}

static void save_events_of(cll_event_stream *stream)
{
    pthread_mutex_lock(&openmp_lock);
    cll_events_save(stream);
    pthread_mutex_unlock(&openmp_lock);
}

/* The others wait for a region; what saving takes is a call of the main thread. */
static void save_all_threads(void)
{
    uint64_t now_ticks = cll_clock_end();
    int is_any = 0;
    for (int number = 0; number < openmp_thread_count; number++) {
        is_any = is_any || cll_events_are_to_be_saved(&openmp_threads[number]->stream, now_ticks);
    }
    if (!is_any) {
        return;
    }
    note_enter(cll_call_site_nowhere("save"), now_ticks);
    for (int number = 0; number < openmp_thread_count; number++) {
        save_events_of(&openmp_threads[number]->stream);
    }
    note_leave(cll_clock_begin());
    cll_call_sites_make_room();
}

void cll_openmp_forked(void)
{
    cll_openmp_now.number++; /* who hears of it late is in no region */
    save_all_threads();
    __atomic_store_n(&cll_events_are_growing, 0, __ATOMIC_RELAXED);
}

void cll_openmp_join_team(unsigned number, unsigned size)
{
    if (openmp_threads[number] == NULL) {
        add_openmp_thread((int)number);
    }
    cll_openmp_thread *own = openmp_threads[number];
    be_owner_of(own);
    own->team = (int)size;
    own->communicator = communicator_of(own->team);
    own->is_open = own->is_joining = own->unanalysed = own->task_waits = own->unseen_task_waits = 0;
    own->waits_in = NULL;
    own->barriers = 0;
    be_as_late(cll_openmp_now.fork_ns);
    note_enter(cll_openmp_now.site, number == 0 ? cll_openmp_now.fork_ticks : own->idle_since_ticks);
    uint64_t now_ticks = cll_clock_begin();
    note_together(CLL_OPERATION_BROADCAST, own->communicator, 0, now_ticks);
    note_leave(now_ticks);
}

void cll_openmp_turn_to_task(cll_openmp_thread *own)
{
    if (own->is_open && own->unanalysed == 0) {
        note_leave(cll_clock_begin());
        own->is_open = 0;
    }
}

void cll_openmp_turn_to_barrier(cll_openmp_thread *own)
{
    if (!own->is_open) {
        note_enter(own->barrier_site, cll_clock_end());
        note_latest(own);
        own->is_open = 1;
    }
}

void cll_openmp_arrive(cll_openmp_thread *own, const char *call, const void *caller, const void *task, int is_end)
{
    uint64_t now_ticks = cll_clock_end();
    while (own->unanalysed > 0) {
        cll_openmp_end_unanalysed(own); /* that nobody has told the end of */
    }
    own->task_waits = own->unseen_task_waits = 0;
    cll_openmp_turn_to_task(own);
    note_latest(own);
    own->barrier_site = site_of(own, call, caller);
    own->waits_in = task;
    own->is_joining = is_end;
    note_enter(own->barrier_site, now_ticks);
    cll_event_reserve(); /* now, and not when the wait is over */
    own->is_open = 1;
}

static void let_go(cll_openmp_thread *thread, uint64_t now_ticks)
{
    cll_openmp_turn_to_barrier(thread);
    note_together(CLL_OPERATION_BARRIER, thread->communicator, -1, now_ticks);
    note_leave(now_ticks);
    thread->is_open = 0;
    thread->waits_in = NULL;
    thread->barriers++;
}

/* All have come to the end of the region, and do not know yet that they may go on. */
static void let_team_go(uint64_t now_ticks)
{
    int team = openmp_threads[0]->team;
    for (int number = 0; number < team; number++) {
        cll_openmp_thread *member = openmp_threads[number];
        cll_own_events = &member->stream;
        let_go(member, now_ticks);
        member->team = 0;
        member->idle_since_ticks = now_ticks;
        if (number > 0) {
            __atomic_store_n(&member->owner, NULL, __ATOMIC_RELAXED);
        }
    }
    cll_own_events = &openmp_threads[0]->stream;
}

/* Regions that never end have barriers. */
static void save_own_events(cll_openmp_thread *own, uint64_t now_ticks)
{
    if (cll_events_are_to_be_saved(&own->stream, now_ticks)) {
        note_enter(site_of(own, "save", NULL), now_ticks);
        save_events_of(&own->stream);
        note_leave(cll_clock_begin());
    }
}

void cll_openmp_go_on(cll_openmp_thread *own)
{
    be_as_late(__atomic_load_n(&cll_openmp_now.latest_ns[own->barriers % 2], __ATOMIC_RELAXED));
    uint64_t now_ticks = cll_clock_begin();
    if (!own->is_joining) {
        let_go(own, now_ticks);
        save_own_events(own, now_ticks);
    } else if (cll_openmp_is_main(own)) {
        let_team_go(now_ticks);
    }
}

void cll_openmp_begin_unanalysed(cll_openmp_thread *own, const char *call, const void *caller)
{
    if (own->unanalysed == 0) {
        if (own->is_open) {
            return;
        }
        note_enter(site_of(own, call, caller), cll_clock_end());
        own->is_open = 1;
    }
    own->unanalysed++;
}

void cll_openmp_end_unanalysed(cll_openmp_thread *own)
{
    if (own->unanalysed > 0 && --own->unanalysed == 0) {
        note_leave(cll_clock_begin());
        own->is_open = 0;
    }
}

void cll_openmp_begin_task_wait(cll_openmp_thread *own, const char *call, const void *caller)
{
    if (own->is_open || own->unseen_task_waits > 0 || own->task_waits == CLL_MOST_TASK_WAITS) {
        own->unseen_task_waits++;
        return;
    }
    cll_openmp_task_wait *wait = &own->task_wait[own->task_waits++];
    *wait = (cll_openmp_task_wait){NULL, site_of(own, call, caller)};
    note_enter(wait->site, cll_clock_end());
    own->is_open = 1;
}

void cll_openmp_end_task_wait(cll_openmp_thread *own)
{
    if (own->unseen_task_waits > 0) {
        own->unseen_task_waits--;
    } else if (own->task_waits > 0) {
        own->task_waits--;
        cll_openmp_turn_to_task(own);
    }
}

int cll_openmp_turn_in_task_wait(cll_openmp_thread *own, const void *before, const void *next)
{
    if (own->task_waits == 0) {
        return 0;
    }
    cll_openmp_task_wait *wait = &own->task_wait[own->task_waits - 1];
    if (own->unseen_task_waits == 0 && next != NULL) {
        if (own->is_open) {
            wait->task = before;
            cll_openmp_turn_to_task(own);
        } else if (next == wait->task) {
            note_enter(wait->site, cll_clock_end());
            own->is_open = 1;
        }
    }
    return 1;
}

void cll_openmp_locked(cll_openmp_thread *own, const char *call, const void *caller)
{
    uint64_t now_ticks = cll_clock_begin();
    if (own->is_open || now_ticks - own->asked_ticks < cll_clock_ticks(1000)) {
        return;
    }
    note_enter(site_of(own, call, caller), own->asked_ticks);
    note_leave(now_ticks);
}
