/* forks.c: leaves to the parent what is the parent's. */
#include "forks.h"

#include <pthread.h>

#include "../base/fail.h"
#include "../base/host.h"
#include "../counters/counters.h"
#include "../recording/left_open.h"
#include "../recording/recorder.h"
#include "../saving/saving.h"
#include "../saving/spill_file.h"
#include "cost.h"
#include "thinning.h"

static int are_processors = 0; /* that are forked */

/* In the new process the recorder's thread does not exist, or what it measured is another process's to report. */
static void forget_before_fork(cll_recorder *recorder, int is_own, int keep)
{
    cll_record_walk walk = {0};
    cll_record *record;
    while ((record = cll_record_next(recorder, &walk)) != NULL) {
        int is_open = cll_record_state(record) <= CLL_OPEN_COUNTED;
        if (is_open && !is_own) {
            cll_record_abandon(record);
        }
        if (!keep && !(is_open && is_own)) {
            cll_record_become(record, CLL_FORGOTTEN);
        }
    }
    if (!is_own) {
        recorder->innermost = NULL;
        recorder->has_ended = 1;
        cll_counters_abandon(recorder->counters);
        recorder->counters = NULL;
        cll_thinning_release(recorder);
    }
}

void cll_record_forked(int keep)
{
    are_processors = 0;
    for (cll_recorder *recorder = cll_recorders_first(); recorder != NULL; recorder = recorder->next) {
        forget_before_fork(recorder, recorder == cll_own_recorder, keep);
    }
    cll_saving_forked(keep);
    if (!keep) {
        cll_left_open_forget();
        cll_cost_forked();
        cll_recorder_tell_late_chunks(cll_recorder_late_chunks());
        cll_recorders_sweep();
    }
    if (cll_recorder_is_any(cll_own_recorder)) {
        cll_recorder_touch(cll_own_recorder);
        cll_counters_forked(cll_own_recorder->counters);
    }
}

#ifdef CLL_SMPI

void cll_watch_forks(void)
{
}

#else

static void begin_as_child(void)
{
    cll_recorders_unlock();
    if (!are_processors) {
        cll_host_start_run_anew();
        cll_spill_start_anew();
        cll_record_forked(0);
    }
}

void cll_watch_forks(void)
{
    static int is_watching = 0;
    if (!is_watching && pthread_atfork(cll_recorders_lock, cll_recorders_unlock, begin_as_child) != 0) {
        cll_fail("no memory to watch the forks of this program");
    }
    is_watching = 1;
}

#endif

void cll_expect_processors_to_fork(int are_expected)
{
    are_processors = are_expected;
    if (!are_expected && cll_recorder_is_any(cll_own_recorder)) {
        cll_recorder_touch(cll_own_recorder);
    }
}
