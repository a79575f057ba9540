/* event_saving.c: for each stream a file with one section of events, to which lines and blocks are appended. What is there leaves the memory. */
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
#include "event_closing.h"

typedef struct {
    uint64_t offset;
    size_t length;
} saved_block;

struct cll_saved_events {
    cll_spill_file *file; /* NULL: none can be made */
    cll_event_definitions definitions;
    saved_block *blocks;
    size_t block_count;
    size_t block_capacity;
};

static int events_go_into_files = 0; /* until something cannot be written */
static cll_kind kind_of_events = CLL_MPI;
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

void cll_events_start_saving(cll_kind kind)
{
    cll_saving_start();
    events_go_into_files = cll_saving_is_on();
    kind_of_events = kind;
    events_process = getpid();
}

void cll_events_save_stream(cll_event_stream *stream)
{
    stream->save_at_ticks = cll_saving_next_ticks();
}

int cll_events_are_to_be_saved(const cll_event_stream *stream, uint64_t now_ticks)
{
    return __atomic_load_n(&events_go_into_files, __ATOMIC_RELAXED) && (now_ticks >= stream->save_at_ticks || stream->first->next != NULL);
}

/* A program without directives is named by its file, as its report is. */
static cll_spill_file *open_events_file(void)
{
    static cll_unit unnamed = {.source = "?"};
    static const cll_backend mpi = {.kind = "MPI", .transport = &cll_transport_name};
    static const char *const no_transport = "none";
    static const cll_backend openmp = {.kind = "OpenMP", .transport = &no_transport};
    const cll_unit *unit = cll_units_first();
    unnamed.name = cll_host_program();
    unnamed.kind = kind_of_events;
    return cll_spill_open_lines(unit == NULL ? &unnamed : unit, kind_of_events == CLL_MPI ? &mpi : &openmp);
}

static void note_saved(struct cll_saved_events *saved, uint64_t offset, size_t length)
{
    if (saved->block_count == saved->block_capacity) {
        saved->block_capacity = 2 * saved->block_capacity + 64;
        saved->blocks = cll_reallocate(saved->blocks, saved->block_capacity, sizeof *saved->blocks, "the events");
    }
    saved->blocks[saved->block_count].offset = offset;
    saved->blocks[saved->block_count++].length = length;
}

/* Those that are in the file leave the memory; returns whether all are. */
static int append_events(cll_event_stream *own)
{
    struct cll_saved_events *saved = own->saved;
    cll_event_definitions *definitions = &saved->definitions;
    definitions->processor = own->processor;
    cll_event_definitions_continue(definitions);
    if (definitions->length > 0 && !cll_spill_append_lines(saved->file, definitions->bytes, definitions->length)) {
        return 0;
    }
    for (;;) {
        cll_event_block *block = own->first;
        cll_event_block *next = block->next;
        uint64_t offset = saved->file->size_bytes;
        cll_event_block_seal(own, block);
        if (block->event_count > 0) {
            if (!cll_spill_append_lines(saved->file, (const char *)block->bytes, block->used_bytes)) {
                return 0;
            }
            note_saved(saved, offset, block->used_bytes);
        }
        if (next == NULL) {
            cll_event_blocks_forget(own);
            return 1;
        }
        own->first = next;
        free(block);
    }
}

void cll_events_save(cll_event_stream *stream)
{
    cll_recorders_lock();
    if (events_go_into_files) {
        cll_clock_calibrate(0);
        if (stream->saved == NULL) {
            stream->saved = cll_allocate(1, sizeof *stream->saved, "the events");
            stream->saved->file = open_events_file();
        }
        int is_written = stream->saved->file != NULL && append_events(stream);
        __atomic_store_n(&events_go_into_files, is_written, __ATOMIC_RELAXED);
        stream->save_at_ticks = cll_saving_next_ticks();
    }
    cll_recorders_unlock();
}

int cll_events_have_unsaved(const cll_event_stream *stream)
{
    return stream->first->event_count > 0 || stream->first->next != NULL;
}

void cll_events_save_lines(cll_event_stream *stream, const char *lines, size_t length)
{
    struct cll_saved_events *saved = stream->saved;
    if (length > 0 && saved != NULL && saved->file != NULL && __atomic_load_n(&events_go_into_files, __ATOMIC_RELAXED)) {
        cll_spill_append_lines(saved->file, lines, length);
    }
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

static int has_more_saved(const cll_events_walk *walk)
{
    return walk->block != NULL && walk->stream->saved != NULL && walk->saved < walk->stream->saved->block_count;
}

static size_t next_saved(cll_events_walk *walk, unsigned char *bytes, size_t capacity)
{
    const saved_block *saved = &walk->stream->saved->blocks[walk->saved];
    const char *path = walk->stream->saved->file->path;
    if (saved->length > capacity) {
        return 0;
    }
    if (walk->file == 0) {
        walk->file = open(path, O_RDONLY | O_CLOEXEC) + 1;
    }
    if (walk->file == 0 || pread(walk->file - 1, bytes, saved->length, (off_t)saved->offset) != (ssize_t)saved->length) {
        cll_fail("cannot read %s: events that it kept are lost for the report", path);
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

static void close_saved(cll_events_walk *walk)
{
    if (walk->file > 0) {
        close(walk->file - 1);
    }
    walk->file = 0;
    walk->saved = 0;
}

static void start_section(cll_events_walk *walk, cll_event_stream *stream)
{
    close_saved(walk);
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
    if (has_more_saved(walk)) {
        return next_saved(walk, bytes, capacity);
    }
    return walk->block == NULL ? 0 : next_in_memory(walk, bytes, capacity);
}

void cll_events_end_walk(cll_events_walk *walk)
{
    close_saved(walk);
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

static void remove_saved(cll_event_stream *stream)
{
    struct cll_saved_events *saved = stream->saved;
    if (saved != NULL && saved->file != NULL) {
        cll_spill_remove(saved->file);
        cll_event_definitions_release(&saved->definitions);
        free(saved->blocks);
        free(saved);
        stream->saved = NULL;
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
    for (cll_event_stream *stream = cll_event_streams; stream != NULL; stream = stream->next) {
        remove_saved(stream);
        cll_event_blocks_forget(stream);
    }
    pthread_mutex_unlock(&lock);
}

#if defined(__GNUC__)
/* A child that was forked. Simulated processors are of one process, and none of them is there at its end. */
static int is_other_process(void)
{
#ifdef CLL_SMPI
    return 0;
#else
    return events_process != getpid();
#endif
}

/* What has not been saved yet of a program that ended before its report. */
static void save_rest(cll_event_stream *stream)
{
#ifdef CLL_SMPI
    (void)stream;
#else
    if (cll_events_have_unsaved(stream) && cll_events_are_there() && cll_events_reports() == 0 && !is_other_process()) {
        cll_events_save(stream);
    }
#endif
}

/* What comes behind the last report is not missed. */
__attribute__((destructor)) static void tell_saved_events(void)
{
    int is_told = cll_run_processor != 0;
    cll_events_begin_reading();
    for (cll_event_stream *stream = cll_event_streams; stream != NULL; stream = stream->next) {
        save_rest(stream);
        const cll_spill_file *file = stream->saved == NULL ? NULL : stream->saved->file;
        if (file == NULL || is_other_process()) {
            continue;
        }
        if (file->reports > 0) {
            remove_saved(stream);
        } else if (!is_told) {
            cll_tell("the program ended without a report of its events: see %s, and the files of the other processors", file->path);
            is_told = 1;
        }
    }
}
#endif
