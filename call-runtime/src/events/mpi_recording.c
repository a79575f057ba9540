/* mpi_recording.c: when recording begins and ends, and the two events of each call. */
#include "mpi_recording.h"

#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../bsp/call_sites.h"
#include "../measuring/measurement.h"
#include "../program/units.h"
#include "../recording/recorder.h"
#include "../saving/spill_file.h"
#include "event_closing.h"
#include "event_definitions.h"
#include "event_saving.h"
#include "mpi_clocks.h"
#include "mpi_communicators.h"

uint64_t cll_event_now_ticks = 0;
cll_event_awaited_thing cll_event_awaited;
static cll_event_stream main_thread;

/* Of the same thread, in which measurements begin and end outside of MPI's calls. */
static void record_experiment(const cll_experiment *experiment, uint64_t now_ticks, int begins)
{
    if (cll_records_events && experiment != &cll_empty_pair) {
        cll_event_begin_change();
        unsigned char *at = cll_event_start(begins ? CLL_EVENT_EXPERIMENT_BEGIN : CLL_EVENT_EXPERIMENT_END, now_ticks);
        cll_event_finish(cll_event_natural(at, cll_event_experiment(experiment)));
        cll_event_end_change();
    }
}

void cll_event_enter(const char *call, void *caller)
{
    cll_records_events = 0;
    cll_event_now_ticks = cll_clock_end();
    cll_event_begin_change();
    cll_event_awaited.kind = CLL_AWAITS_UNKNOWN;
    cll_call_site_caller = caller;
    uint32_t site = cll_call_site_here(call);
    cll_event_finish(cll_event_natural(cll_event_start(CLL_EVENT_ENTER, cll_event_now_ticks), site));
}

static void leave_now(void)
{
    cll_event_finish(cll_event_start(CLL_EVENT_LEAVE, cll_event_now_ticks));
}

/* What saving takes is a call of its own. */
static void save_now(uint64_t now_ticks)
{
    uint32_t site = cll_call_site_here("save");
    cll_event_finish(cll_event_natural(cll_event_start(CLL_EVENT_ENTER, now_ticks), site));
    cll_events_save(cll_own_events);
    cll_event_now_ticks = cll_clock_begin();
    leave_now();
}

void cll_event_leave(void)
{
    leave_now();
    cll_call_sites_make_room();
    if (cll_events_are_to_be_saved(cll_own_events, cll_event_now_ticks)) {
        save_now(cll_event_now_ticks);
    }
    cll_records_events = 1;
    cll_event_end_change();
}

void cll_event_together(cll_event_operation operation, uint32_t communicator)
{
    if (communicator != CLL_NO_COMMUNICATOR) {
        unsigned char *at = cll_event_start(CLL_EVENT_COLLECTIVE, cll_event_now_ticks);
        *at++ = (unsigned char)operation;
        at = cll_event_natural(at, communicator);
        memset(at, 0, 3); /* no root, no bytes */
        cll_event_finish(at + 3);
    }
}

void cll_events_start(const char *call, void *caller, int thread_level)
{
    uint64_t origin_ticks;
    int rank = 0;
    int size = 1;
    if (!cll_events_are_wanted()) {
        return;
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    cll_record_set_run_processor(rank, size);
    if (thread_level == MPI_THREAD_MULTIPLE && rank == 0) {
        cll_tell("MPI_THREAD_MULTIPLE: calls of MPI in other threads than the main one are not recorded");
    }
    /* How many threads it will ask for nobody knows before. */
    if (rank == 0 && cll_openmp_runtime() != CLL_NO_OPENMP) {
        cll_tell("events: calls of MPI are recorded, and not what threads of OpenMP do and wait for");
    }
    cll_clock_start();
    cll_events_start_saving(CLL_MPI);
    cll_call_sites_start();
    cll_call_sites_make_room();
    cll_event_clock_is(cll_event_clocks_start(&origin_ticks));
    cll_event_stream_start(&main_thread, rank, origin_ticks);
    cll_events_save_stream(&main_thread);
    cll_own_events = &main_thread;
    cll_event_communicators_start();
    cll_event_enter(call, caller);
    cll_event_together(CLL_OPERATION_INITIALISE, cll_event_world());
    PMPI_Barrier(MPI_COMM_WORLD);
    cll_event_now_ticks = cll_clock_begin();
    cll_record_of_experiment = record_experiment;
    cll_event_leave();
}

void cll_events_finish(void *caller)
{
    int has_reported = cll_events_reports() > 0;
    int have_reported = 0;
    cll_event_enter("MPI_Finalize", caller);
    cll_event_together(CLL_OPERATION_FINALISE, cll_event_world());
    cll_event_end_change();
    PMPI_Allreduce(&has_reported, &have_reported, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    cll_event_begin_change();
    cll_event_clocks_end();
    cll_event_now_ticks = cll_clock_begin();
    leave_now();
    cll_record_of_experiment = NULL;
    cll_event_end_change();
    if (!have_reported && cll_events_report != NULL) {
        cll_events_report(caller);
    }
}

void cll_events_tell_unseen(const char *remark)
{
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && cll_events_are_wanted()) {
        cll_tell("%s", remark);
    }
}

void cll_event_tell_unrecorded(const char *call, int *is_told)
{
    if (!*is_told && cll_run_processor == 0) {
        cll_tell("events: %s is not recorded", call);
    }
    *is_told = 1;
}
