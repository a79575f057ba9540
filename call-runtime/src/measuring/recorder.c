/* recorder.c: the recorders of all threads and the chunks of memory that hold their records. */
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "../counters/counters.h"
#include "../base/fail.h"
#include "../reporting/saving.h"

/* What is lost at most when a run is killed; small enough for the second-level cache, large enough that a program which measures
 * every microsecond writes a hundred times a second only: 256 KiB hold 8192 records without variables. */
#define CHUNK_BYTES ((size_t)1 << 18)

/* Between measurements room is made when less than this is left, so that a nest of 4096 records need not be interrupted. */
#define LOW_WATER_BYTES (CHUNK_BYTES / 2)

/* Not above the page size of any machine. */
#define PAGE_BYTES ((size_t)4096)

int cll_processors = 1;
int cll_run_processor = 0;
int (*cll_record_settle_processors)(void) = NULL;
void (*cll_recorder_before_move)(void) = NULL;
void (*cll_recorder_after_move)(void) = NULL;

static cll_recorder nobody;
CLL_PER_THREAD cll_recorder *cll_own_recorder = &nobody;

static cll_recorder *first_recorder = NULL;
static pthread_mutex_t recorders_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t late_chunks = 0;

#if defined(__linux__) && !defined(MADV_POPULATE_WRITE)
#define MADV_POPULATE_WRITE 23 /* Linux knows it from 5.14 on, older headers do not */
#endif

/* Has the system make ready all pages that lie within, which takes a third less than a fault for each. Returns whether it did. */
static int populate(unsigned char *start, size_t size_bytes)
{
#ifdef MADV_POPULATE_WRITE
    uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)start + page_bytes - 1) / page_bytes * page_bytes;
    uintptr_t end = ((uintptr_t)start + size_bytes) / page_bytes * page_bytes;
    int reason = errno;
    int is_done = first < end && madvise((void *)first, end - first, MADV_POPULATE_WRITE) == 0;
    errno = reason;
    return is_done;
#else
    (void)start, (void)size_bytes;
    return 0;
#endif
}

/* Writes to each page. Volatile, since compilers make a calloc of malloc and memset, and calloc leaves new pages untouched. */
static void touch_pages(void *start, size_t size_bytes)
{
    volatile unsigned char *bytes = start;
    size_t step_bytes = populate(start, size_bytes) ? size_bytes : PAGE_BYTES;
    for (size_t at = 0; at < size_bytes; at += step_bytes) {
        bytes[at] = 0;
    }
    bytes[size_bytes - 1] = 0;
}

/* The same for what is not used yet of a chunk. */
static void touch_rest(cll_chunk *target)
{
    if (target != NULL && target->used_bytes < target->size_bytes) {
        touch_pages(target->bytes + target->used_bytes, target->size_bytes - target->used_bytes);
    }
}

static cll_chunk *new_chunk(size_t wanted_bytes)
{
    size_t size_bytes = CHUNK_BYTES - sizeof(cll_chunk);
    if (size_bytes < wanted_bytes) {
        size_bytes = wanted_bytes;
    }
    cll_chunk *made = malloc(sizeof *made + size_bytes);
    if (made == NULL) {
        cll_fail("no memory for more measurements (%zu bytes): report more often or measure less", size_bytes);
    }
    touch_pages(made, sizeof *made + size_bytes);
    made->next = NULL;
    made->size_bytes = size_bytes;
    made->used_bytes = 0;
    made->unused = 0;
    return made;
}

void cll_recorders_lock(void)
{
    pthread_mutex_lock(&recorders_lock);
}

cll_recorder *cll_recorders_first(void)
{
    return first_recorder;
}

void cll_recorders_unlock(void)
{
    pthread_mutex_unlock(&recorders_lock);
}

#ifndef CLL_SMPI
/* What is open will not be ended any more. */
static void end_recorder(void *of_thread)
{
    cll_recorder *own = of_thread;
    cll_recorders_lock();
    for (cll_record *left = own->innermost; left != NULL; left = left->is.enclosing) {
        cll_record_become(left, CLL_ABANDONED);
    }
    own->innermost = NULL;
    cll_counters *counters = own->counters;
    own->counters = NULL;
    own->has_ended = 1;
    cll_recorders_unlock();
    cll_own_recorder = &nobody;
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

/* Goes on with the recorder of a thread that has ended, so that many short threads need no more memory than those that run at
 * once; else makes one. */
static cll_recorder *start_recorder(void)
{
    cll_recorders_lock();
    cll_recorder *own = first_recorder;
    if (own == NULL) {
        cll_clock_start();
        cll_saving_start();
    }
    while (own != NULL && !own->has_ended) {
        own = own->next;
    }
    if (own == NULL) {
        own = calloc(1, sizeof *own);
        if (own == NULL) {
            cll_fail("no memory for the measurements of a thread");
        }
        own->first = own->current = new_chunk(0);
        own->next = first_recorder;
        first_recorder = own;
    }
    own->has_ended = 0;
    own->team = 0;
    own->thread = 0;
    own->save_at_ticks = cll_saving_next_ticks();
    watch_thread(own);
    cll_recorders_unlock();
    own->counters = cll_counters_open();
    cll_own_recorder = own;
    return own;
}

static size_t left_bytes(const cll_recorder *own)
{
    return own->current->size_bytes - own->current->used_bytes;
}

static int processors_are_settled(void)
{
    return cll_record_settle_processors == NULL || cll_record_settle_processors();
}

static void change_chunks(cll_recorder *own, size_t wanted_bytes)
{
    if (own->spare != NULL && own->spare->size_bytes < wanted_bytes) {
        free(own->spare);
        own->spare = NULL;
    }
    if (own->spare == NULL) {
        own->spare = new_chunk(wanted_bytes);
    }
    cll_chunk *full = own->current;
    own->current = own->spare;
    own->spare = NULL;
    own->added_chunks++;
    __atomic_store_n(&full->next, own->current, __ATOMIC_RELEASE); /* from here on a report may free it */
}

/* What the runtime does while measurements are open is not theirs. */
static uint64_t stop_clocks(const cll_recorder *own)
{
    return own->innermost == NULL || cll_clock_in_use == CLL_CLOCK_COUNTING ? 0 : cll_clock_begin();
}

static void start_clocks(const cll_recorder *own, uint64_t stopped_ticks)
{
    if (own->innermost == NULL) {
        return;
    }
    __atomic_add_fetch(&late_chunks, 1, __ATOMIC_RELAXED);
    if (cll_clock_in_use == CLL_CLOCK_COUNTING) {
        return;
    }
    uint64_t pause_ticks = cll_clock_end() - stopped_ticks;
    for (cll_record *open = own->innermost; open != NULL; open = open->is.enclosing) {
        open->start_ticks += pause_ticks;
    }
}

static void sweep_chunks(cll_recorder *recorder);

/* For this thread, which goes on with the first chunk. */
static void empty_chunks(cll_recorder *own)
{
    cll_chunk *first = own->first;
    for (cll_chunk *left = first->next; left != NULL;) {
        cll_chunk *next = left->next;
        free(left);
        left = next;
    }
    first->next = NULL;
    first->used_bytes = 0;
    own->current = first;
    own->room_bytes = 0;
}

static size_t count_chunks(const cll_recorder *own)
{
    size_t count = 0;
    for (const cll_chunk *at = own->first; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

/* Keeps what is complete, and goes on in the memory that this frees. */
static void save(cll_recorder *own)
{
    if (cll_recorder_before_move != NULL) {
        cll_recorder_before_move();
    }
    own->save_at_ticks = UINT64_MAX;
    cll_recorders_lock();
    if (cll_saving_keep(own, own->innermost == NULL)) {
        empty_chunks(own);
    } else {
        sweep_chunks(own);
    }
    own->held_chunks = count_chunks(own);
    own->added_chunks = 0;
    own->save_at_ticks = cll_saving_next_ticks();
    cll_recorders_unlock();
    if (cll_recorder_after_move != NULL) {
        cll_recorder_after_move();
    }
}

void cll_recorder_save(cll_recorder *own)
{
    uint64_t stopped_ticks = stop_clocks(own);
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
    return left_bytes(own) < wanted_bytes || (own->innermost == NULL && own->spare == NULL && left_bytes(own) < LOW_WATER_BYTES);
}

cll_recorder *cll_recorder_make_room(size_t wanted_bytes)
{
    cll_recorder *own = cll_own_recorder;
    int is_settled = processors_are_settled();
    if (own == &nobody) {
        own = start_recorder();
        cll_record_subtracted_ns(); /* measured now, where nothing is open */
    }
    if (wants_room(own, wanted_bytes)) {
        uint64_t stopped_ticks = stop_clocks(own);
        if (is_worth_saving(own)) {
            save(own);
        }
        if (own->innermost == NULL && own->spare == NULL && left_bytes(own) < LOW_WATER_BYTES) {
            own->spare = new_chunk(wanted_bytes);
        }
        if (left_bytes(own) < wanted_bytes) {
            change_chunks(own, wanted_bytes);
        }
        start_clocks(own, stopped_ticks);
    }
    own->room_bytes = left_bytes(own);
    if (own->spare == NULL) {
        own->room_bytes -= own->room_bytes < LOW_WATER_BYTES ? own->room_bytes : LOW_WATER_BYTES;
    }
    if (own->room_bytes < wanted_bytes || !is_settled) {
        own->room_bytes = wanted_bytes;
    }
    return own;
}

void cll_record_prepare(void)
{
    cll_recorder_make_room(0);
}

void cll_record_set_processors(int processors)
{
    __atomic_store_n(&cll_processors, processors, __ATOMIC_RELAXED);
}

void cll_record_set_run_processor(int processor)
{
    cll_run_processor = processor;
}

void cll_record_set_team(int processors, int number)
{
    cll_recorder *own = cll_own_recorder;
    if (own == &nobody) {
        own = cll_recorder_make_room(0);
    }
    own->team = processors;
    own->thread = (uint16_t)number;
}

uint64_t cll_recorder_late_chunks(void)
{
    return __atomic_load_n(&late_chunks, __ATOMIC_RELAXED);
}

void cll_recorder_tell_late_chunks(uint64_t count)
{
    __atomic_sub_fetch(&late_chunks, (size_t)count, __ATOMIC_RELAXED);
}

static cll_record *record_at(cll_chunk *chunk, size_t offset)
{
    return (cll_record *)(void *)(chunk->bytes + offset);
}

static size_t used_bytes(const cll_chunk *chunk)
{
    return __atomic_load_n(&chunk->used_bytes, __ATOMIC_ACQUIRE);
}

static cll_chunk *next_chunk(const cll_chunk *chunk)
{
    return __atomic_load_n(&chunk->next, __ATOMIC_ACQUIRE);
}

int cll_record_walk_on(const cll_recorder *recorder, cll_record_walk *walk)
{
    cll_chunk *at = walk->chunk == NULL ? recorder->first : walk->chunk;
    size_t offset = walk->offset;
    /* The successor first: without one at that moment, more may be used in a moment, but it does not end here. */
    cll_chunk *successor = next_chunk(at);
    while (offset == used_bytes(at)) {
        if (successor == NULL) {
            return 0;
        }
        at = successor;
        successor = next_chunk(at);
        offset = 0;
    }
    walk->chunk = at;
    walk->offset = offset;
    walk->seen_bytes = used_bytes(at);
    return 1;
}

static int is_needed(cll_chunk *candidate)
{
    size_t end = used_bytes(candidate);
    for (size_t offset = 0; offset < end;) {
        const cll_record *record = record_at(candidate, offset);
        if (cll_record_state(record) != CLL_FORGOTTEN) {
            return 1;
        }
        offset += cll_record_bytes(record->experiment);
    }
    return 0;
}

/* Frees the chunks that are not needed, except for the one that the thread fills. Those of this thread become its spare one. */
static void sweep_chunks(cll_recorder *recorder)
{
    cll_chunk **link = &recorder->first;
    cll_chunk *successor;
    int is_own = recorder == cll_own_recorder;
    while ((successor = next_chunk(*link)) != NULL) {
        cll_chunk *candidate = *link;
        if (is_needed(candidate)) {
            link = &candidate->next;
            continue;
        }
        *link = successor;
        if (is_own && recorder->spare == NULL && candidate->size_bytes + sizeof *candidate == CHUNK_BYTES) {
            candidate->next = NULL;
            candidate->used_bytes = 0;
            recorder->spare = candidate;
        } else {
            free(candidate);
        }
    }
    /* Nobody else may take it from a thread that is about to use it. */
    if ((is_own || recorder->has_ended) && !is_needed(*link)) {
        (*link)->used_bytes = 0;
        recorder->room_bytes = 0;
    }
}

void cll_recorders_sweep(void)
{
    cll_recorder **link = &first_recorder;
    while (*link != NULL) {
        cll_recorder *candidate = *link;
        sweep_chunks(candidate);
        if (candidate->has_ended && candidate->first == candidate->current && candidate->current->used_bytes == 0) {
            *link = candidate->next;
            free(candidate->spare);
            free(candidate->first);
            free(candidate);
        } else {
            link = &candidate->next;
        }
    }
}

/* In the new process the recorder's thread does not exist, or what it measured is another process's to report. */
static void forget_before_fork(cll_recorder *recorder, int is_own, int keep)
{
    cll_record_walk walk = {0};
    cll_record *record;
    while ((record = cll_record_next(recorder, &walk)) != NULL) {
        int is_open = cll_record_state(record) == CLL_OPEN;
        if (is_open && !is_own) {
            cll_record_become(record, CLL_ABANDONED);
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
    }
}

void cll_record_forked(int keep)
{
    for (cll_recorder *recorder = first_recorder; recorder != NULL; recorder = recorder->next) {
        forget_before_fork(recorder, recorder == cll_own_recorder, keep);
    }
    cll_saving_forked(keep);
    if (!keep) {
        late_chunks = 0;
        cll_recorders_sweep();
    }
    if (cll_own_recorder != &nobody) {
        touch_rest(cll_own_recorder->current);
        touch_rest(cll_own_recorder->spare);
        cll_counters_forked(cll_own_recorder->counters);
    }
}
