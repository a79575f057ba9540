/* bsplib.c: the sections of bsp.h, from bsp_begin to bsp_end, and the processors that execute them. They start at the first bsp_begin.
 * With bsp_init processor 0 forks the others at each bsp_begin, so that they know what it knows; processes of MPI start there. */
#include "bsplib.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../include/bsp.h"
#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/host.h"
#include "../bsp/call_sites.h"
#include "../bsp/supersteps.h"
#include "../bsp/transport.h"
#include "../recording/recorder.h"
#include "bsplib_between.h"

static const char end_call[] = "bsp_end";

#if defined(__GNUC__)
#define CLL_BSPLIB_APART __attribute__((noinline))
#else
#define CLL_BSPLIB_APART
#endif

static enum { NOT_STARTED, ALONE, FORKED, STARTED, INSIDE, ENDED, LEFT } progress_of_program = NOT_STARTED;
static cll_machine *all_processors = NULL; /* those that have not left for good */
static cll_machine *part_in_use = NULL;    /* `all_processors`, or a part of it when bsp_begin wants fewer */
static int last_processors = 0;            /* of the section that is in use, or was */
static int last_processor = 0;
static uint64_t begin_ns = 0;

typedef void (*section_function)(void);
static section_function function_of_sections = NULL; /* NULL: without bsp_init */
static cll_bsplib_section told = {0, 0, 0, 0};       /* by processor 0 already; no processors: not yet */

cll_machine *cll_bsplib_machine(const char *call)
{
    if (progress_of_program != INSIDE) {
        cll_fail("%s: no BSP machine is in use: the call must stand between bsp_begin and bsp_end", call);
    }
    return part_in_use;
}

int cll_bsplib_processors(void)
{
    return last_processors > 0 ? last_processors : cll_transport_available();
}

int cll_bsplib_number(ptrdiff_t number)
{
    if (number > INT_MAX && (uint64_t)number <= UINT_MAX) {
        return -1 - (int)(UINT_MAX - (unsigned int)number); /* what was meant to be negative */
    }
    return number < INT_MIN ? INT_MIN : number > INT_MAX ? INT_MAX : (int)number;
}

static void before_exit(void);
static int is_not_inside(void);

static void watch_start(int is_alone)
{
    cll_record_set_processors(1);
    progress_of_program = is_alone ? ALONE : STARTED;
    atexit(before_exit);
    if (cll_transport_available() == 1) {
        cll_watch_end(is_not_inside, end_call);
    }
}

static void start_processors(const char *call)
{
    all_processors = cll_machine_start(call, end_call);
    watch_start(0);
}

static void finish(cll_after_finish after)
{
    cll_machine_finish(end_call, after);
    progress_of_program = after == CLL_LEAVES ? LEFT : ENDED;
}

CLL_NEVER_RETURNS static void leave_for_good(void)
{
    finish(CLL_LEAVES);
    exit(0);
}

static int64_t distance_of(section_function function)
{
    return (int64_t)((intptr_t)function - (intptr_t)bsp_init);
}

static int forks_sections(void)
{
    return function_of_sections != NULL && cll_machine_can_fork();
}

/* `has_returned`: this processor has come out of the function of the section before. */
static cll_bsplib_section agree_on_section(int64_t most_processors, int has_returned, const char *call)
{
    cll_bsplib_section next = {most_processors, distance_of(function_of_sections), 0, 0};
    if (told.processors > 0) {
        next = told;
        told.processors = 0;
    } else if (forks_sections()) {
        cll_bsplib_plan_section(all_processors, &next, has_returned, call);
    } else {
        cll_bsplib_tell_section(all_processors, &next, call);
    }
    return next;
}

static void begin_again(const char *call)
{
    all_processors = cll_machine_restart(last_processor, last_processors, call);
    cll_record_set_processors(1);
    progress_of_program = STARTED;
}

static int is_not_inside(void)
{
    return progress_of_program != INSIDE;
}

/* The processors of this machine end: others take their places, or nobody, where there are none. Number 0 goes on. */
static void leave_to_others(const cll_bsplib_section *next)
{
    cll_superstep_forget(all_processors);
    progress_of_program = INSIDE;
    part_in_use = all_processors;
    cll_bsplib_report_rest(all_processors, next);
    finish(cll_machine_processor(all_processors) == 0 ? CLL_IS_LEFT : CLL_LEAVES);
}

/* A processor other than 0 whose function is over, or that exits behind its section. */
static void leave_as_told(const char *call)
{
    told = agree_on_section(0, 1, call);
    if (told.is_for_others) {
        leave_to_others(&told);
    } else if (told.processors == 0) {
        finish(CLL_LEAVES);
    }
}

/* A program may find out, before it begins, that it has nothing to do, or nothing more: the other processors wait for processor 0. */
static void before_exit(void)
{
    if (cll_has_failed() || !cll_transport_works_at_exit) {
        return;
    }
    if (progress_of_program == ENDED && function_of_sections != NULL && cll_machine_restarts()) {
        begin_again("exit");
    }
    if (progress_of_program == STARTED && cll_machine_processor(all_processors) == 0) {
        agree_on_section(0, 0, "exit");
        finish(CLL_LEAVES);
    } else if (progress_of_program == STARTED && forks_sections()) {
        leave_as_told("exit");
    } else if (progress_of_program == ENDED) {
        cll_transport_leave("exit");
    }
}

/* What processors other than 0 do with bsp_init: section after section, and no statement of main. Call stacks are cut here. */
CLL_BSPLIB_APART CLL_NEVER_RETURNS static void cll_bsplib_execute_sections(void)
{
    static const char call[] = "bsp_init";
    section_function function = function_of_sections;
    for (;;) {
        function();
        if (progress_of_program != ENDED) {
            cll_fail("%s: the function that all processors execute returned on processor %d without %s", call,
                     cll_machine_processor(all_processors), progress_of_program == INSIDE ? end_call : "bsp_begin");
        }
        if (!cll_machine_restarts()) {
            exit(0);
        }
        begin_again(call);
        leave_as_told(call);
        if (progress_of_program == LEFT) {
            exit(0);
        }
        function = (section_function)((intptr_t)bsp_init + (intptr_t)told.function_distance);
    }
}

void bsp_init(void (*spmd)(void), int argc, char **argv)
{
    static const char call[] = "bsp_init";
    int is_first = progress_of_program == NOT_STARTED && function_of_sections == NULL;
    int is_between = progress_of_program == ENDED && function_of_sections != NULL;
    if (!is_first && !is_between) {
        cll_fail("%s: it must be the first statement of main, before bsp_begin, or come between sections that began with it", call);
    }
    if (spmd == NULL) {
        cll_fail("%s: the function that all processors execute is NULL", call);
    }
    function_of_sections = spmd;
    if (is_between) {
        return;
    }
    if (argc > 0 && argv != NULL) {
        cll_host_save_arguments(argc, argv);
    }
    if (forks_sections()) {
        cll_machine_start_alone(call, end_call);
        watch_start(1);
        return;
    }
    start_processors(call);
    if (cll_machine_processor(all_processors) != 0) {
        cll_bsplib_execute_sections();
    }
}

/* The part that is in use; the others leave. */
static cll_machine *first_processors(int wanted, const char *call)
{
    int ends[2];
    ends[0] = wanted;
    ends[1] = cll_machine_processors(all_processors);
    cll_machine *part = cll_machine_partition(all_processors, 2, ends, call);
    if (cll_machine_processor(all_processors) >= wanted) {
        cll_machine_close(part, call);
        cll_record_set_processors(1);
        leave_for_good();
    }
    return part;
}

void cll_bsplib_any_begin(ptrdiff_t most_processors)
{
    static const char call[] = "bsp_begin";
    if (progress_of_program == INSIDE) {
        cll_fail("%s: the section before has not ended: bsp_end comes first", call);
    }
    if (progress_of_program == ENDED && !cll_machine_restarts()) {
        cll_fail("%s: over %s a program begins once, and this is the second time", call, cll_transport_name);
    }
    if (progress_of_program == NOT_STARTED) {
        start_processors(call);
    } else if (progress_of_program == ENDED) {
        begin_again(call);
    }
    if ((all_processors == NULL || cll_machine_processor(all_processors) == 0) && most_processors < 1) {
        cll_fail("%s: a program cannot have %td processors", call, most_processors);
    }
    int64_t wanted = most_processors;
    if (progress_of_program == STARTED) {
        cll_bsplib_section next = agree_on_section(most_processors, 0, call);
        wanted = next.processors;
        if (wanted == 0) {
            leave_for_good();
        }
        if (next.is_for_others) {
            leave_to_others(&next);
            progress_of_program = ALONE;
            all_processors = NULL;
        }
    }
    if (progress_of_program == ALONE) {
        all_processors = cll_machine_fork(most_processors, call);
        progress_of_program = FORKED;
        if (cll_machine_processor(all_processors) != 0) {
            cll_bsplib_execute_sections();
        }
    }
    if (progress_of_program == FORKED) {
        wanted = cll_machine_processors(all_processors);
    }
    part_in_use = all_processors;
    if (wanted < cll_machine_processors(all_processors)) {
        part_in_use = first_processors((int)wanted, call);
    }
    last_processors = cll_machine_processors(part_in_use);
    last_processor = cll_machine_processor(part_in_use);
    cll_record_set_processors(last_processors);
    cll_bsplib_start_messages();
    progress_of_program = INSIDE;
    begin_ns = cll_clock_wall_ns();
    cll_superstep_begin_program();
}

void bsp_end(void)
{
    cll_call_site_caller = CLL_CALLER;
    cll_machine *machine = cll_bsplib_machine(end_call);
    cll_supersteps_end_program(CLL_BSPLIB, CLL_CALLER);
    int waits_for_others = function_of_sections != NULL && cll_machine_processor(machine) == 0;
    if (machine != all_processors) {
        cll_machine_barrier(machine, end_call);
        cll_machine_close(machine, end_call);
    }
    finish(waits_for_others ? CLL_IS_WAITED_FOR : CLL_MAY_RESTART);
}

void bsp_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cll_fail_as_told(format, arguments);
}

void bsp_vabort(const char *format, va_list arguments)
{
    cll_fail_as_told(format, arguments);
}

double bsp_time(void)
{
    cll_bsplib_machine("bsp_time");
    return (double)(cll_clock_wall_ns() - begin_ns) * 1e-9;
}
