/* bsplib.c: beginning and end of bsp.h, registrations, puts and gets. With bsp_init the processors start there, else at bsp_begin. */
#include "bsplib.h"

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

static const char end_call[] = "bsp_end";

static enum { NOT_STARTED, STARTED, INSIDE, ENDED } progress_of_program = NOT_STARTED;
static cll_machine *all_processors = NULL;
static cll_machine *part_in_use = NULL; /* `all_processors`, or a part of it when bsp_begin wants fewer */
static uint64_t begin_ns = 0;

cll_machine *cll_bsplib_machine(const char *call)
{
    if (progress_of_program != INSIDE) {
        cll_fail("%s: no BSP machine is in use: the call must stand between bsp_begin and bsp_end", call);
    }
    return part_in_use;
}

int cll_bsplib_processors(void)
{
    return progress_of_program == INSIDE ? cll_machine_processors(part_in_use) : cll_transport_available();
}

static void before_exit(void);
static int is_not_inside(void);

static void start_processors(const char *call)
{
    all_processors = cll_machine_start(call, end_call);
    cll_record_set_processors(1);
    progress_of_program = STARTED;
    atexit(before_exit);
    if (cll_machine_processors(all_processors) == 1) {
        cll_watch_end(is_not_inside, end_call);
    }
}

static void finish(void)
{
    cll_machine_finish(end_call);
    progress_of_program = ENDED;
}

/* Processor 0 says how many take part. */
static int agree_on_processors(int most_processors, const char *call)
{
    if (cll_machine_processor(all_processors) != 0) {
        cll_machine_take(all_processors, 0, &most_processors, sizeof most_processors, call);
        return most_processors;
    }
    for (int processor = 1; processor < cll_machine_processors(all_processors); processor++) {
        cll_machine_give(all_processors, processor, &most_processors, sizeof most_processors);
    }
    return most_processors;
}

/* A program may find out, before it begins, that it has nothing to do: the other processors wait in their bsp_begin. */
static void before_exit(void)
{
    if (cll_has_failed()) {
        return;
    }
    if (progress_of_program == STARTED && cll_machine_processor(all_processors) == 0 && cll_transport_works_at_exit) {
        agree_on_processors(0, "exit");
        finish();
    }
}

static int is_not_inside(void)
{
    return progress_of_program != INSIDE;
}

void bsp_init(void (*spmd)(void), int argc, char **argv)
{
    static const char call[] = "bsp_init";
    if (progress_of_program != NOT_STARTED) {
        cll_fail("%s: it must be the first statement of main, before bsp_begin, and come once", call);
    }
    if (spmd == NULL) {
        cll_fail("%s: the function that all processors execute is NULL", call);
    }
    if (argc > 0 && argv != NULL) {
        cll_host_save_arguments(argc, argv);
    }
    start_processors(call);
    if (cll_machine_processor(all_processors) == 0) {
        return;
    }
    spmd();
    if (progress_of_program != ENDED) {
        cll_fail("%s: the function that all processors execute returned on processor %d without %s", call,
                 cll_machine_processor(all_processors), progress_of_program == STARTED ? "bsp_begin" : end_call);
    }
    exit(0);
}

CLL_NEVER_RETURNS static void leave_unused(void)
{
    finish();
    exit(0);
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
        leave_unused();
    }
    return part;
}

void bsp_begin(int most_processors)
{
    static const char call[] = "bsp_begin";
    if (progress_of_program == INSIDE || progress_of_program == ENDED) {
        cll_fail("%s: a program begins once, and this is the second time", call);
    }
    if (progress_of_program == NOT_STARTED) {
        start_processors(call);
    }
    if (cll_machine_processor(all_processors) == 0 && most_processors < 1) {
        cll_fail("%s: a program cannot have %d processors", call, most_processors);
    }
    int wanted = agree_on_processors(most_processors, call);
    if (wanted == 0) {
        leave_unused();
    }
    part_in_use = all_processors;
    if (wanted < cll_machine_processors(all_processors)) {
        part_in_use = first_processors(wanted, call);
    }
    cll_record_set_processors(cll_machine_processors(part_in_use));
    progress_of_program = INSIDE;
    begin_ns = cll_clock_wall_ns();
    cll_superstep_begin_program();
}

void bsp_end(void)
{
    cll_call_site_caller = CLL_CALLER;
    cll_machine *machine = cll_bsplib_machine(end_call);
    if (machine != all_processors) {
        cll_machine_barrier(machine, end_call);
        cll_machine_close(machine, end_call);
    }
    finish();
}

void bsp_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cll_fail_as_told(format, arguments);
}

int bsp_nprocs(void)
{
    return cll_bsplib_processors();
}

int bsp_pid(void)
{
    return cll_machine_processor(cll_bsplib_machine("bsp_pid"));
}

double bsp_time(void)
{
    cll_bsplib_machine("bsp_time");
    return (double)(cll_clock_wall_ns() - begin_ns) * 1e-9;
}

void bsp_push_reg(const void *address, int size)
{
    static const char call[] = "bsp_push_reg";
    if (size < 0) {
        cll_fail("%s: an area of %d bytes cannot be registered", call, size);
    }
    cll_machine_register(cll_bsplib_machine(call), (void *)(uintptr_t)address, (size_t)size, call);
}

void bsp_pop_reg(const void *address)
{
    static const char call[] = "bsp_pop_reg";
    cll_machine_unregister(cll_bsplib_machine(call), address, call);
}

static void check_signs(int offset, int size, const char *call)
{
    if (offset < 0 || size < 0) {
        cll_fail("%s: %d bytes at offset %d: neither can be negative", call, size, offset);
    }
}

void bsp_put(int to, const void *source, void *destination, int offset, int size)
{
    static const char call[] = "bsp_put";
    check_signs(offset, size, call);
    cll_machine_put(cll_bsplib_machine(call), to, source, destination, (size_t)offset, (size_t)size, 0, call);
}

void bsp_hpput(int to, const void *source, void *destination, int offset, int size)
{
    static const char call[] = "bsp_hpput";
    check_signs(offset, size, call);
    cll_machine_put(cll_bsplib_machine(call), to, source, destination, (size_t)offset, (size_t)size, 1, call);
}

void bsp_get(int from, const void *source, int offset, void *destination, int size)
{
    static const char call[] = "bsp_get";
    check_signs(offset, size, call);
    cll_machine_get(cll_bsplib_machine(call), from, source, (size_t)offset, destination, (size_t)size, 0, call);
}

void bsp_hpget(int from, const void *source, int offset, void *destination, int size)
{
    static const char call[] = "bsp_hpget";
    check_signs(offset, size, call);
    cll_machine_get(cll_bsplib_machine(call), from, source, (size_t)offset, destination, (size_t)size, 1, call);
}
