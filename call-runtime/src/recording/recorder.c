/* recorder.c: the list of the recorders, and the chunks of memory that hold their records. */
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/fail.h"

/* Not above the page size of any machine. */
#define PAGE_BYTES ((size_t)4096)

double cll_budget = 0;
int cll_executions_are_kept = 0;
int cll_processors = 1;
int cll_run_processor = 0;
int cll_run_processors = 1;

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
#ifdef CLL_SMPI /* of simulated processors there are many, and new pages take them no time */
    (void)start, (void)size_bytes;
    (void)populate;
#else
    volatile unsigned char *bytes = start;
    size_t step_bytes = populate(start, size_bytes) ? size_bytes : PAGE_BYTES;
    for (size_t at = 0; at < size_bytes; at += step_bytes) {
        bytes[at] = 0;
    }
    bytes[size_bytes - 1] = 0;
#endif
}

/* The same for what is not used yet of a chunk. */
static void touch_rest(cll_chunk *target)
{
    if (target != NULL && target->used_bytes < target->size_bytes) {
        touch_pages(target->bytes + target->used_bytes, target->size_bytes - target->used_bytes);
    }
}

void cll_recorder_touch(const cll_recorder *own)
{
    touch_rest(own->current);
    touch_rest(own->spare);
}

cll_chunk *cll_chunk_make(size_t wanted_bytes)
{
    size_t size_bytes = CLL_CHUNK_BYTES - sizeof(cll_chunk);
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

void cll_recorder_leave(void)
{
    cll_own_recorder = &nobody;
}

cll_recorder *cll_recorder_take(void)
{
    cll_recorder *own = first_recorder;
    while (own != NULL && !own->has_ended) {
        own = own->next;
    }
    if (own == NULL) {
        own = cll_allocate(1, sizeof *own, "the measurements of a thread");
        own->first = own->current = cll_chunk_make(0);
        own->next = first_recorder;
        first_recorder = own;
    }
    own->has_ended = 0;
    own->team = 0;
    own->thread = 0;
    own->around_region = NULL;
    return own;
}

void cll_recorder_change_chunks(cll_recorder *own, size_t wanted_bytes)
{
    if (own->spare != NULL && own->spare->size_bytes < wanted_bytes) {
        free(own->spare);
        own->spare = NULL;
    }
    if (own->spare == NULL) {
        own->spare = cll_chunk_make(wanted_bytes);
    }
    cll_chunk *full = own->current;
    own->current = own->spare;
    own->spare = NULL;
    own->added_chunks++;
    __atomic_store_n(&full->next, own->current, __ATOMIC_RELEASE); /* from here on a report may free it */
}

void cll_recorder_empty(cll_recorder *own)
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

void cll_record_set_processors(int processors)
{
    __atomic_store_n(&cll_processors, processors, __ATOMIC_RELAXED);
}

void cll_record_set_run_processor(int processor, int processors)
{
    cll_run_processor = processor;
    cll_run_processors = processors;
}

void cll_recorder_count_late_chunk(void)
{
    __atomic_add_fetch(&late_chunks, 1, __ATOMIC_RELAXED);
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

/* One of those of this thread becomes its spare one. */
void cll_recorder_sweep(cll_recorder *recorder)
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
        if (is_own && recorder->spare == NULL && candidate->size_bytes + sizeof *candidate == CLL_CHUNK_BYTES) {
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
        cll_recorder_sweep(candidate);
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
