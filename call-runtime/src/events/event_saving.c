/* event_saving.c: the file with one section of events, to which lines and blocks are appended. What is there leaves the memory. */
#include "event_saving.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/host.h"
#include "../bsp/transport.h"
#include "../program/units.h"
#include "../recording/recorder.h"
#include "../saving/saving.h"
#include "../saving/spill_file.h"

typedef struct {
    uint64_t offset;
    size_t length;
} saved_block;

static uint64_t save_events_at_ticks = UINT64_MAX;
static int events_go_into_file = 0;
static cll_spill_file *events_file = NULL;
static cll_event_definitions saved_definitions;
static saved_block *saved_blocks = NULL;
static size_t saved_block_count = 0;
static size_t saved_block_capacity = 0;
static pid_t events_process = 0;
static int events_reports = 0;

int cll_events_are_growing = 0;
void (*cll_events_close)(void *caller) = NULL;
void (*cll_events_reopen)(void) = NULL;
void (*cll_events_report)(void *caller) = NULL;

int cll_events_are_wanted(void)
{
    const char *text = getenv("CALL_EVENTS");
    if (text == NULL || *text == '\0') {
        return cll_units_want_events();
    }
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) {
        cll_fail("CALL_EVENTS is `%s`: it is 1 to record events or 0 not to, or leave the variable unset", text);
    }
    return *text == '1';
}

void cll_events_start_saving(void)
{
    cll_saving_start();
    events_process = getpid();
    events_go_into_file = cll_saving_is_on();
    save_events_at_ticks = cll_saving_next_ticks();
}

int cll_events_are_to_be_saved(uint64_t now_ticks)
{
    return now_ticks >= save_events_at_ticks || (events_go_into_file && cll_own_events->first->next != NULL);
}

/* A program without directives is named by its file, as its report is. */
static cll_spill_file *open_events_file(void)
{
    static cll_unit unnamed = {.source = "?", .kind = CLL_MPI};
    static const cll_backend mpi = {.kind = "MPI", .transport = &cll_transport_name};
    const cll_unit *unit = cll_units_first();
    unnamed.name = cll_host_program();
    return cll_spill_open_lines(unit == NULL ? &unnamed : unit, &mpi);
}

static void note_saved(uint64_t offset, size_t length)
{
    if (saved_block_count == saved_block_capacity) {
        saved_block_capacity = 2 * saved_block_capacity + 64;
        saved_blocks = cll_reallocate(saved_blocks, saved_block_capacity, sizeof *saved_blocks, "the events");
    }
    saved_blocks[saved_block_count].offset = offset;
    saved_blocks[saved_block_count++].length = length;
}

/* Those that are in the file leave the memory; returns whether all are. */
static int append_events(void)
{
    cll_event_stream *own = cll_own_events;
    saved_definitions.processor = own->processor;
    cll_event_definitions_continue(&saved_definitions);
    if (saved_definitions.length > 0 && !cll_spill_append_lines(events_file, saved_definitions.bytes, saved_definitions.length)) {
        return 0;
    }
    for (;;) {
        cll_event_block *block = own->first;
        cll_event_block *next = block->next;
        uint64_t offset = events_file->size_bytes;
        cll_event_block_seal(own, block);
        if (block->event_count > 0) {
            if (!cll_spill_append_lines(events_file, (const char *)block->bytes, block->used_bytes)) {
                return 0;
            }
            note_saved(offset, block->used_bytes);
        }
        if (next == NULL) {
            cll_event_blocks_forget(own);
            return 1;
        }
        own->first = next;
        free(block);
    }
}

void cll_events_save(void)
{
    cll_recorders_lock();
    cll_clock_calibrate(0);
    if (events_file == NULL) {
        events_file = open_events_file();
    }
    events_go_into_file = events_file != NULL && append_events();
    save_events_at_ticks = events_go_into_file ? cll_saving_next_ticks() : UINT64_MAX;
    cll_recorders_unlock();
}

int cll_events_are_there(void)
{
    return cll_event_streams != NULL && !__atomic_load_n(&cll_events_are_growing, __ATOMIC_RELAXED);
}

int cll_events_processors(void)
{
    int count = 0;
    for (const cll_event_stream *stream = cll_events_are_there() ? cll_event_streams : NULL; stream != NULL; stream = stream->next) {
        count++;
    }
    return count;
}

static size_t next_definitions(cll_events_walk *walk, unsigned char *bytes, size_t capacity)
{
    const char *at = walk->definitions.bytes + walk->told_bytes;
    size_t left = walk->definitions.length - walk->told_bytes;
    size_t count = left < capacity ? left : capacity;
    while (count > 0 && at[count - 1] != '\n') {
        count--;
    }
    if (count == 0) {
        count = left < capacity ? left : capacity; /* a communicator whose line is longer than any piece */
    }
    memcpy(bytes, at, count);
    walk->told_bytes += count;
    return count;
}

static size_t next_saved(cll_events_walk *walk, unsigned char *bytes, size_t capacity)
{
    const saved_block *saved = &saved_blocks[walk->saved];
    if (saved->length > capacity) {
        return 0;
    }
    if (walk->file == 0) {
        walk->file = open(events_file->path, O_RDONLY | O_CLOEXEC) + 1;
    }
    if (walk->file == 0 || pread(walk->file - 1, bytes, saved->length, (off_t)saved->offset) != (ssize_t)saved->length) {
        cll_fail("cannot read %s: events that it kept are lost for the report", events_file->path);
    }
    walk->saved++;
    return saved->length;
}

static size_t next_in_memory(cll_events_walk *walk, unsigned char *bytes, size_t capacity)
{
    cll_event_block *block = walk->block;
    cll_event_block_seal(walk->stream, block);
    if (block->used_bytes > capacity) {
        return 0;
    }
    walk->block = block->next;
    memcpy(bytes, block->bytes, block->used_bytes);
    return block->used_bytes;
}

static void start_section(cll_events_walk *walk, cll_event_stream *stream)
{
    walk->stream = stream;
    if (stream != NULL) {
        cll_event_definitions_release(&walk->definitions);
        memset(&walk->definitions, 0, sizeof walk->definitions);
        walk->definitions.processor = stream->processor;
        cll_event_definitions_continue(&walk->definitions);
        walk->told_bytes = 0;
        walk->block = stream->first;
    }
}

size_t cll_events_next(cll_events_walk *walk, unsigned char *bytes, size_t capacity)
{
    if (!walk->is_started) {
        walk->is_started = 1;
        start_section(walk, cll_events_are_there() ? cll_event_streams : NULL);
    }
    if (walk->stream != NULL && walk->block == NULL) {
        start_section(walk, walk->stream->next);
    }
    if (walk->told_bytes < walk->definitions.length) {
        return next_definitions(walk, bytes, capacity);
    }
    if (walk->block != NULL && walk->saved < saved_block_count) {
        return next_saved(walk, bytes, capacity);
    }
    return walk->block == NULL ? 0 : next_in_memory(walk, bytes, capacity);
}

void cll_events_end_walk(cll_events_walk *walk)
{
    if (walk->file > 0) {
        close(walk->file - 1);
    }
    cll_event_definitions_release(&walk->definitions);
}

void cll_events_use_own_clock(unsigned char *piece, size_t count)
{
    size_t at = 0;
    while (cll_event_clock_is_common() && at < count) {
        if (piece[at] != 'C') { /* lines, or the rest of one */
            const unsigned char *end = memchr(piece + at, '\n', count - at);
            at = end == NULL ? count : (size_t)(end - piece) + 1;
        } else {
            cll_event_block_set_clock(piece + at, cll_clock_nanoseconds_per_tick());
            at += cll_event_block_length(piece + at);
        }
    }
}

int cll_events_reports(void)
{
    return __atomic_load_n(&events_reports, __ATOMIC_RELAXED);
}

static void remove_events_file(void)
{
    if (events_file != NULL) {
        cll_spill_remove(events_file);
        cll_event_definitions_release(&saved_definitions);
        memset(&saved_definitions, 0, sizeof saved_definitions);
        events_file = NULL;
        saved_block_count = 0;
    }
}

/* Several threads may report at once; only one of them has events. */
void cll_events_forget(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (__atomic_load_n(&cll_events_are_growing, __ATOMIC_RELAXED)) {
        return; /* none was reported */
    }
    pthread_mutex_lock(&lock);
    __atomic_add_fetch(&events_reports, 1, __ATOMIC_RELAXED);
    remove_events_file();
    for (cll_event_stream *stream = cll_event_streams; stream != NULL; stream = stream->next) {
        cll_event_blocks_forget(stream);
    }
    pthread_mutex_unlock(&lock);
}

#if defined(__GNUC__)
/* What comes behind the last report is not missed. */
__attribute__((destructor)) static void tell_saved_events(void)
{
    if (events_file == NULL || events_process != getpid()) {
        return;
    }
    if (events_file->reports > 0) {
        remove_events_file();
    } else if (cll_run_processor == 0) {
        cll_tell("the program ended without a report of its events: see %s, and the files of the other processors", events_file->path);
    }
}
#endif
