/* superstep_saving.c: a file with one section of supersteps, to which lines are appended. The records stay in memory for the report. */
#include "superstep_saving.h"

#include <stdlib.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/host.h"
#include "../program/units.h"
#include "../recording/recorder.h"
#include "../saving/saving.h"
#include "../saving/spill_file.h"
#include "call_sites.h"
#include "superstep_records.h"
#include "transport.h"

enum { SAVED_PIECE_BYTES = 1 << 16 };

static uint64_t save_at_ticks = UINT64_MAX;
static cll_spill_file *saved_file = NULL;
static cll_supersteps_walk saved_walk;
static pid_t saving_process = 0;

void cll_supersteps_start_saving(void)
{
    cll_saving_start();
    save_at_ticks = cll_saving_next_ticks();
}

/* A program without directives is named by its file, as its report is. */
static cll_spill_file *open_saved_file(int is_bsplib)
{
    static cll_unit unnamed = {.source = "?"};
    static const cll_backend pub = {.kind = "PUB", .transport = &cll_transport_name};
    static const cll_backend bsplib = {.kind = "BSPlib", .transport = &cll_transport_name};
    const cll_unit *unit = cll_units_first();
    unnamed.name = cll_host_program();
    return cll_spill_open_lines(unit == NULL ? &unnamed : unit, is_bsplib ? &bsplib : &pub);
}

static int append_supersteps(void)
{
    char *lines = malloc(SAVED_PIECE_BYTES);
    size_t count;
    int goes_well = lines != NULL;
    cll_call_sites_describe();
    while (goes_well && (count = cll_supersteps_next_lines(&saved_walk, lines, SAVED_PIECE_BYTES)) > 0) {
        goes_well = cll_spill_append_lines(saved_file, lines, count);
    }
    free(lines);
    return goes_well;
}

int cll_supersteps_save(uint64_t now_ticks, int is_bsplib)
{
    if (now_ticks < save_at_ticks) {
        return 0;
    }
    cll_recorders_lock();
    cll_clock_calibrate(0);
    if (saved_file == NULL) {
        saved_file = open_saved_file(is_bsplib);
        cll_supersteps_start_open_walk(&saved_walk);
        saving_process = getpid();
    }
    int goes_well = saved_file != NULL && append_supersteps();
    save_at_ticks = goes_well ? cll_saving_next_ticks() : UINT64_MAX;
    cll_recorders_unlock();
    return 1;
}

void cll_supersteps_remove_saved(void)
{
    if (saved_file != NULL) {
        cll_supersteps_end_walk(&saved_walk);
        cll_spill_remove(saved_file);
        saved_file = NULL;
    }
}

void cll_supersteps_forked(void)
{
    if (saved_file != NULL) {
        cll_supersteps_end_walk(&saved_walk);
        cll_spill_release(saved_file);
        saved_file = NULL;
    }
    cll_supersteps_forget();
}

#if defined(__GNUC__)
/* What comes behind the last report is not missed. */
__attribute__((destructor)) static void tell_saved(void)
{
    if (saved_file == NULL || saving_process != getpid()) {
        return;
    }
    if (saved_file->reports > 0) {
        cll_supersteps_remove_saved();
    } else if (cll_run_processor == 0) {
        cll_tell("the program ended without a report of its supersteps: see %s, and the files of the other processors", saved_file->path);
    }
}
#endif
