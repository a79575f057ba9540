/* room.c: begins and ends the recorder of a thread, and saves what it has. */
#include "room.h"

#include <pthread.h>
#include <stdlib.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../counters/counters.h"
#include "../recording/left_open.h"
#include "../saving/saving.h"
#include "cost.h"
#include "forks.h"
#include "thinning.h"

/* Between measurements room is made when less than this is left, so that a nest of 4096 records need not be interrupted. */
#define LOW_WATER_BYTES (CLL_CHUNK_BYTES / 2)

int (*cll_record_settle_processors)(void) = NULL;
void (*cll_recorder_before_move)(void) = NULL;
void (*cll_recorder_after_move)(void) = NULL;

#ifndef CLL_SMPI
/* What is open will not be ended any more. */
static void end_recorder(void *of_thread)
{
    cll_recorder *own = of_thread;
    cll_recorders_lock();
    for (cll_record *left = own->innermost, *enclosing; left != NULL; left = enclosing) {
        enclosing = left->is.enclosing;
        if (cll_record_abandon(left)) {
            cll_left_open(left->experiment, NULL);
        }
    }
    own->innermost = NULL;
    cll_cost_end_thread(own);
    cll_thinning_release(own);
    cll_counters *counters = own->counters;
    own->counters = NULL;
    own->has_ended = 1;
    cll_recorders_unlock();
    cll_recorder_leave();
    cll_counters_close(counters);
}
#endif

/* Has the recorder ended when the thread ends. */
static void watch_thread(cll_recorder *own)
{
#ifdef CLL_SMPI
    (void)own;
#else
    static pthread_key_t end_of_thread;
    static int has_key = 0;
    if (!has_key && pthread_key_create(&end_of_thread, end_recorder) != 0) {
        cll_fail("the threads of this program cannot be watched: it uses too many pthread keys");
    }
    has_key = 1;
    if (pthread_setspecific(end_of_thread, own) != 0) {
        cll_fail("no memory to watch the threads of this program");
    }
#endif
}

cll_recorder *cll_recorder_start(void)
{
    cll_recorders_lock();
    if (cll_recorders_first() == NULL) {
        cll_clock_start();
        cll_saving_start();
        cll_watch_forks();
    }
    cll_recorder *own = cll_recorder_take();
    own->save_at_ticks = cll_saving_next_ticks();
    own->start_ticks = cll_clock_begin();
    watch_thread(own);
    cll_recorders_unlock();
    own->counters = cll_counters_open();
    cll_own_recorder = own;
    return own;
}

static int processors_are_settled(void)
{
    return cll_record_settle_processors == NULL || cll_record_settle_processors();
}

/* A buffer was saved or made while measurements were open. */
static void start_clocks(const cll_recorder *own, uint64_t stopped_ticks)
{
    if (own->innermost != NULL) {
        cll_recorder_count_late_chunk();
    }
    cll_cost_start_clocks(own, stopped_ticks);
}

static size_t count_chunks(const cll_recorder *own)
{
    size_t count = 0;
    for (const cll_chunk *at = own->first; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

/* Saves what is complete, and goes on in the memory that this frees. */
static void save(cll_recorder *own)
{
    if (cll_recorder_before_move != NULL) {
        cll_recorder_before_move();
    }
    own->save_at_ticks = UINT64_MAX;
    uint64_t start_ticks = cll_clock_begin();
    cll_recorders_lock();
    if (cll_saving_spill(own, own->innermost == NULL)) {
        cll_recorder_empty(own);
    } else {
        cll_recorder_sweep(own);
    }
    own->held_chunks = count_chunks(own);
    own->added_chunks = 0;
    own->save_at_ticks = cll_saving_next_ticks();
    cll_recorders_unlock();
    cll_count_on(&own->beside_ticks, cll_clock_end() - start_ticks);
    if (cll_recorder_after_move != NULL) {
        cll_recorder_after_move();
    }
}

void cll_recorder_save(cll_recorder *own)
{
    uint64_t stopped_ticks = cll_cost_stop_clocks(own);
    save(own);
    start_clocks(own, stopped_ticks);
}

/* A deep nest of open measurements is not searched for complete ones at each of its chunks. */
static int is_worth_saving(const cll_recorder *own)
{
    return 4 * (own->added_chunks + 1) >= own->held_chunks;
}

static int wants_room(const cll_recorder *own, size_t wanted_bytes)
{
    size_t left_bytes = cll_recorder_left_bytes(own);
    return left_bytes < wanted_bytes || (own->innermost == NULL && own->spare == NULL && left_bytes < LOW_WATER_BYTES);
}

cll_recorder *cll_recorder_make_room(size_t wanted_bytes)
{
    cll_recorder *own = cll_own_recorder;
    int is_settled = processors_are_settled();
    if (wants_room(own, wanted_bytes)) {
        uint64_t stopped_ticks = cll_cost_stop_clocks(own);
        if (is_worth_saving(own)) {
            save(own);
        }
        if (own->innermost == NULL && own->spare == NULL && cll_recorder_left_bytes(own) < LOW_WATER_BYTES) {
            own->spare = cll_chunk_make(wanted_bytes);
        }
        if (cll_recorder_left_bytes(own) < wanted_bytes) {
            cll_recorder_change_chunks(own, wanted_bytes);
        }
        start_clocks(own, stopped_ticks);
    }
    own->room_bytes = cll_recorder_left_bytes(own);
    if (own->spare == NULL) {
        own->room_bytes -= own->room_bytes < LOW_WATER_BYTES ? own->room_bytes : LOW_WATER_BYTES;
    }
    if (own->room_bytes < wanted_bytes || !is_settled) {
        own->room_bytes = wanted_bytes;
    }
    return own;
}
