/* openmp_tool.c: a tool of OMPT, by which LLVM's runtime of OpenMP tells what its threads do (OpenMP 5.0, chapter 4). What is needed of omp-tools.h
 * is declared here, as compilers need not have it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../program/units.h"
#include "../measuring/regions.h"
#include "event_saving.h"
#include "../program/openmp_there.h"
#include "openmp_threads.h"
#include "openmp_tool.h"

static int regions_are_told = 0;

int cll_openmp_tells_regions(void)
{
    return __atomic_load_n(&regions_are_told, __ATOMIC_RELAXED);
}

#if defined(__GNUC__) && defined(__ELF__)

extern void __tsan_init(void) __attribute__((weak));

typedef union {
    uint64_t value;
    void *pointer;
} ompt_data;

typedef void (*ompt_function)(void);
typedef ompt_function (*ompt_lookup)(const char *name);
typedef int (*ompt_set_callback)(int event, ompt_function callback);

typedef struct {
    int (*initialize)(ompt_lookup lookup, int device, ompt_data *tool);
    void (*finalize)(ompt_data *tool);
    ompt_data tool;
} ompt_tool;

typedef struct {
    ompt_data exit;
    ompt_data enter;
    int exit_flags;
    int enter_flags;
} ompt_frame;

/* The numbers of the standard. */
enum { OMPT_KIND_OF_FRAME = 0x30, OMPT_FRAME_POINTER = 0x20 };
enum { OMPT_BEGIN = 1, OMPT_END = 2, OMPT_INITIAL_TASK = 1 };
enum {
    OMPT_PARALLEL_BEGIN = 3,
    OMPT_PARALLEL_END = 4,
    OMPT_TASK_SCHEDULE = 6,
    OMPT_IMPLICIT_TASK = 7,
    OMPT_SYNC_REGION_WAIT = 16,
    OMPT_SYNC_REGION = 23,
    OMPT_MUTEX_ACQUIRE = 26,
    OMPT_MUTEX_ACQUIRED = 27,
    OMPT_CANCEL = 30
};
enum {
    OMPT_BARRIER_IMPLICIT = 2,
    OMPT_BARRIER_EXPLICIT = 3,
    OMPT_TASKWAIT = 5,
    OMPT_TASKGROUP = 6,
    OMPT_REDUCTION = 7,
    OMPT_BARRIER_END_OF_PARALLEL = 9,
    OMPT_BARRIER_OF_TEAMS = 10
};
enum { OMPT_ALWAYS_TOLD = 5 };
enum { OMPT_TEST_LOCK = 2, OMPT_TEST_NEST_LOCK = 4, OMPT_CRITICAL = 5, OMPT_ATOMIC = 6, OMPT_ORDERED = 7 };

/* The number of a region inside of another one. */
#define INNER_REGION UINT64_MAX

static uint64_t program_start_ns = 0;
static pthread_t main_thread_of_openmp;
static pid_t openmp_process = 0;
static int tool_has_started = 0;

static void tell_once(int *is_told, const char *what)
{
    if (!__atomic_exchange_n(is_told, 1, __ATOMIC_RELAXED)) {
        cll_tell("events: %s", what);
    }
}

/* The frame of the runtime's function that the program has called, where that has a base pointer, and the address of return behind it. */
static const void *called_frame(const ompt_frame *frame, const void *caller)
{
#if defined(__x86_64__) && defined(__LP64__)
    if (frame != NULL && frame->enter.pointer != NULL && (frame->enter_flags & OMPT_KIND_OF_FRAME) == OMPT_FRAME_POINTER &&
        ((const void *const *)frame->enter.pointer)[1] == caller) {
        return frame->enter.pointer;
    }
#else
    (void)frame;
    (void)caller;
#endif
    return NULL;
}

static void on_parallel_begin(ompt_data *task, const ompt_frame *frame, ompt_data *region, unsigned wanted, int flags, const void *caller)
{
    static int is_told = 0;
    cll_openmp_thread *own = cll_openmp_own();
    (void)task;
    (void)flags;
    region->value = 0;
    if (own == NULL) {
        if (wanted > 1) {
            tell_once(&is_told, "parallel regions that other threads than the main one and those of its team begin are not recorded");
        }
    } else if (own->team > 0) {
        own->inner_caller = caller;
    } else if (cll_openmp_is_main(own)) {
        cll_openmp_fork(caller, called_frame(frame, caller));
        region->value = cll_openmp_now.number;
    }
}

static void on_parallel_end(ompt_data *region, ompt_data *task, int flags, const void *caller)
{
    cll_openmp_thread *own = cll_openmp_own();
    (void)task;
    (void)flags;
    (void)caller;
    if (own == NULL) {
        return;
    }
    if (region->value == INNER_REGION) {
        cll_openmp_end_unanalysed(own);
    } else if (region->value == cll_openmp_now.number && own->team == 0) {
        cll_openmp_forked();
    }
}

/* The first thread of a team is the one that opened the region. */
static void tell_region(int endpoint, ompt_data *task, unsigned size, unsigned number, int flags)
{
    if (number != 0 || (flags & OMPT_INITIAL_TASK) || task == NULL) {
        return;
    }
    if (endpoint == OMPT_BEGIN) {
        task->pointer = (void *)(uintptr_t)cll_region_begins(size);
    } else if (endpoint == OMPT_END) {
        cll_region_ends(task->pointer);
    }
}

/* Where no events are recorded. */
static void on_implicit_task_alone(int endpoint, ompt_data *region, ompt_data *task, unsigned size, unsigned number, int flags)
{
    (void)region;
    tell_region(endpoint, task, size, number, flags);
}

static void on_implicit_task(int endpoint, ompt_data *region, ompt_data *task, unsigned size, unsigned number, int flags)
{
    static int is_told = 0;
    static int is_inner_told = 0;
    tell_region(endpoint, task, size, number, flags);
    if (endpoint != OMPT_BEGIN || (flags & OMPT_INITIAL_TASK) || region == NULL || size < 2) {
        return;
    }
    if (region->value != 0 && region->value == cll_openmp_now.number) {
        if (size <= CLL_MOST_OPENMP_THREADS) {
            cll_openmp_join_team(number, size);
        } else {
            tell_once(&is_told, "teams of more than 1024 threads are not recorded");
        }
        return;
    }
    cll_openmp_thread *own = cll_openmp_own();
    if (region->value == 0 && own != NULL && own->team > 0 && number == 0) {
        tell_once(&is_inner_told, "who waits in parallel regions inside of others is not recorded");
        region->value = INNER_REGION;
        cll_openmp_begin_unanalysed(own, "omp_inner_parallel", own->inner_caller);
    }
}

/* What comes at the end of a region is told with no place, or with that of the region, until OpenMP 5.1 gave it a number of its own. */
static void on_arrival(cll_openmp_thread *own, int kind, ompt_data *region, const void *task, const void *caller)
{
    const void *of_region = cll_openmp_now.caller;
    if (region == NULL || region->value != cll_openmp_now.number || own->waits_in != NULL) {
        return;
    }
    if (kind == OMPT_BARRIER_END_OF_PARALLEL || (kind == OMPT_BARRIER_IMPLICIT && (caller == NULL || caller == of_region))) {
        cll_openmp_arrive(own, "omp_end_parallel", of_region, task, 1);
    } else {
        const void *place = cll_event_barrier_caller == NULL ? caller : cll_event_barrier_caller;
        cll_openmp_arrive(own, kind == OMPT_BARRIER_EXPLICIT ? "omp_barrier" : "omp_implicit_barrier", place, task, 0);
    }
}

static void on_sync_region(int kind, int endpoint, ompt_data *region, ompt_data *task, const void *caller)
{
    cll_openmp_thread *own = cll_openmp_own();
    if (own == NULL || own->team == 0 || kind == OMPT_TASKWAIT || kind == OMPT_TASKGROUP || kind == OMPT_REDUCTION ||
        kind >= OMPT_BARRIER_OF_TEAMS) {
        return;
    }
    if (endpoint == OMPT_BEGIN) {
        on_arrival(own, kind, region, task, caller);
    } else if (endpoint == OMPT_END && own->waits_in == task && own->unanalysed == 0) {
        cll_openmp_go_on(own);
    }
}

/* A group of tasks is waited for at its end only. */
static void on_sync_region_wait(int kind, int endpoint, ompt_data *region, ompt_data *task, const void *caller)
{
    cll_openmp_thread *own = cll_openmp_own();
    (void)region;
    (void)task;
    if (own == NULL || own->team == 0 || (kind != OMPT_TASKWAIT && kind != OMPT_TASKGROUP)) {
        return;
    }
    if (endpoint == OMPT_END) {
        cll_openmp_end_task_wait(own);
    } else if (endpoint == OMPT_BEGIN) {
        cll_openmp_begin_task_wait(own, kind == OMPT_TASKWAIT ? "omp_taskwait" : "omp_taskgroup", caller);
    }
}

static void on_task_schedule(ompt_data *before, int status, ompt_data *next)
{
    cll_openmp_thread *own = cll_openmp_own();
    (void)status;
    if (own == NULL || own->unanalysed > 0 || cll_openmp_turn_in_task_wait(own, before, next) || own->waits_in == NULL) {
        return;
    }
    if (next == own->waits_in) {
        cll_openmp_turn_to_barrier(own);
    } else if (before == own->waits_in) {
        cll_openmp_turn_to_task(own);
    }
}

static const char *lock_named(int kind)
{
    return kind == OMPT_CRITICAL ? "omp_critical" : kind == OMPT_ATOMIC ? "omp_atomic" : kind == OMPT_ORDERED ? "omp_ordered" : "omp_set_lock";
}

static void on_mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t lock, const void *caller)
{
    cll_openmp_thread *own = cll_openmp_own();
    (void)hint;
    (void)implementation;
    (void)lock;
    (void)caller;
    if (own != NULL && own->team > 0 && kind != OMPT_TEST_LOCK && kind != OMPT_TEST_NEST_LOCK) {
        own->asked_ticks = cll_clock_end();
    }
}

static void on_mutex_acquired(int kind, uint64_t lock, const void *caller)
{
    cll_openmp_thread *own = cll_openmp_own();
    (void)lock;
    if (own != NULL && own->team > 0 && kind != OMPT_TEST_LOCK && kind != OMPT_TEST_NEST_LOCK) {
        cll_openmp_locked(own, lock_named(kind), caller);
    }
}

static void on_cancel(ompt_data *task, int flags, const void *caller)
{
    static int is_told = 0;
    (void)task;
    (void)flags;
    (void)caller;
    tell_once(&is_told, "a region was cancelled: barriers that some threads leave out are not told apart");
}

/* Processors of BSP programs may have threads as well. */
static int is_program_of_threads(void)
{
    const cll_unit *first = cll_units_first();
    return first == NULL || first->kind == CLL_OPENMP || first->kind == CLL_SEQUENTIAL || first->kind == CLL_UNSAID;
}

/* Starts to record, unless nobody wants that. The first use of OpenMP may be long after the start of the program. */
static void start_recording(void)
{
    cll_clock_start();
    uint64_t now_ticks = cll_clock_end();
    uint64_t passed_ticks = cll_clock_is_real() ? cll_clock_ticks(cll_clock_wall_ns() - program_start_ns) : now_ticks;
    __atomic_store_n(&cll_events_are_growing, 1, __ATOMIC_RELAXED); /* until the runtime of OpenMP tells of them */
    cll_openmp_start(now_ticks - passed_ticks);
}

static int start_tool(ompt_lookup lookup, int device, ompt_data *tool)
{
    ompt_set_callback set = (ompt_set_callback)lookup("ompt_set_callback");
    (void)device;
    (void)tool;
    if (set == NULL || !pthread_equal(pthread_self(), main_thread_of_openmp)) {
        cll_tell("events: none is recorded, as another thread than the main one has used OpenMP first");
        return 0;
    }
    if (!cll_openmp_has_started()) {
        start_recording();
    }
    set(OMPT_PARALLEL_BEGIN, (ompt_function)on_parallel_begin);
    set(OMPT_PARALLEL_END, (ompt_function)on_parallel_end);
    set(OMPT_IMPLICIT_TASK, (ompt_function)on_implicit_task);
    set(OMPT_SYNC_REGION, (ompt_function)on_sync_region);
    set(OMPT_SYNC_REGION_WAIT, (ompt_function)on_sync_region_wait);
    set(OMPT_TASK_SCHEDULE, (ompt_function)on_task_schedule);
    set(OMPT_MUTEX_ACQUIRE, (ompt_function)on_mutex_acquire);
    set(OMPT_MUTEX_ACQUIRED, (ompt_function)on_mutex_acquired);
    set(OMPT_CANCEL, (ompt_function)on_cancel);
    __atomic_store_n(&regions_are_told, 1, __ATOMIC_RELAXED);
    tool_has_started = 1;
    openmp_process = getpid();
    __atomic_store_n(&cll_events_are_growing, 0, __ATOMIC_RELAXED);
    return 1;
}

/* Without events: only which teams run regions. */
static int start_tool_of_teams(ompt_lookup lookup, int device, ompt_data *tool)
{
    ompt_set_callback set = (ompt_set_callback)lookup("ompt_set_callback");
    (void)device;
    (void)tool;
    if (set == NULL || set(OMPT_IMPLICIT_TASK, (ompt_function)on_implicit_task_alone) != OMPT_ALWAYS_TOLD) {
        return 0;
    }
    __atomic_store_n(&regions_are_told, 1, __ATOMIC_RELAXED);
    return 1;
}

static void end_tool(ompt_data *tool)
{
    (void)tool;
}

/* There is one tool only: the user's, and that by which ThreadSanitizer learns what OpenMP orders, are worth more than the size of teams. */
static int another_tool_is_wanted(void)
{
    const char *libraries = getenv("OMP_TOOL_LIBRARIES");
    return (libraries != NULL && libraries[0] != '\0') || __tsan_init != NULL;
}

/* What the runtime of OpenMP looks for when it starts; another tool that is linked as well may have its own. */
ompt_tool *ompt_start_tool(unsigned version, const char *runtime);

__attribute__((weak, visibility("default"))) ompt_tool *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_tool of_events = {.initialize = start_tool, .finalize = end_tool};
    static ompt_tool of_teams = {.initialize = start_tool_of_teams, .finalize = end_tool};
    const cll_unit *first = cll_units_first();
    (void)version;
    (void)runtime;
    if (is_program_of_threads() && cll_events_are_wanted()) {
        return &of_events;
    }
    return first != NULL && first->kind == CLL_OPENMP && !another_tool_is_wanted() ? &of_teams : NULL;
}

/* Directives may measure before the first use of OpenMP. */
__attribute__((constructor)) static void note_program_start(void)
{
    const char *wanted = getenv("CALL_EVENTS");
    program_start_ns = cll_clock_wall_ns();
    main_thread_of_openmp = pthread_self();
    if (wanted != NULL && strcmp(wanted, "1") == 0 && cll_openmp_runtime() == CLL_OPENMP_OF_LLVM) {
        start_recording();
    }
}

__attribute__((destructor)) static void report_at_end(void)
{
    if (!tool_has_started) {
        if (cll_openmp_runtime() == CLL_OPENMP_OF_GCC && is_program_of_threads() && cll_events_are_wanted()) {
            cll_tell("events: libgomp, gcc's runtime of OpenMP, tells no tool about barriers, so none is recorded: compile with `clang -fopenmp`, "
                     "whose libomp does");
        }
    } else if (openmp_process == getpid() && cll_events_reports() == 0) {
        if (__atomic_load_n(&cll_events_are_growing, __ATOMIC_RELAXED)) {
            cll_tell("the program ended inside a parallel region: its events are lost");
        } else if (cll_events_report != NULL) {
            cll_events_report(NULL);
        }
    }
}
#endif
