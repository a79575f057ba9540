/* spill_file.c: makes, fills, reads and removes the files of measurements that have not been reported. */
#include "spill_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fail.h"
#include "../base/file.h"
#include "../base/host.h"
#include "../program/backend.h"
#include "../recording/recorder.h"
#include "trace.h"

#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif
#ifndef O_NOFOLLOW
#define O_NOFOLLOW 0
#endif

static cll_spill_file *first_spill = NULL;
static uint64_t whole_reports = 0;

uint64_t cll_spill_count_report(void)
{
    return ++whole_reports;
}

void cll_spill_release(cll_spill_file *spill)
{
    cll_layout_release(&spill->layout);
    free(spill->rows_of);
    free(spill->abandoned_of);
    free(spill->path);
    free(spill);
}

static int read_whole(int file, unsigned char *bytes, size_t count, uint64_t offset)
{
    size_t done = 0;
    while (done < count) {
        ssize_t part = pread(file, bytes + done, count - done, (off_t)(offset + done));
        if (part <= 0 && (part == 0 || errno != EINTR)) {
            return 0;
        }
        done += part > 0 ? (size_t)part : 0;
    }
    return 1;
}

/* NAME.call.unfinished.HOST.PROCESS.dat; where that exists, as simulated processors are one process, a number follows. */
static int create_spill_file(cll_spill_file *spill)
{
    char *name = cll_trace_path(spill->layout.unit);
    char directory[4096];
    if (*name == '/' || getcwd(directory, sizeof directory - 1) == NULL) {
        directory[0] = '\0';
    } else {
        strcat(directory, "/");
    }
    size_t capacity = strlen(directory) + strlen(name) + CLL_HOST_NAME_BYTES + 96;
    spill->path = cll_allocate(capacity, 1, "the measurements");
    for (unsigned long number = 0;; number++) {
        int length = snprintf(spill->path, capacity, "%s%s.call.unfinished.%s.%ld", directory, name, cll_host_name(), (long)getpid());
        length += number == 0 ? 0 : snprintf(spill->path + length, capacity - (size_t)length, ".%lu", number);
        snprintf(spill->path + length, capacity - (size_t)length, ".dat");
        int file = cll_file_create(spill->path);
        if (file >= 0 || errno != EEXIST) {
            int reason = errno;
            free(name);
            errno = reason;
            return file;
        }
    }
}

/* Returns its size, 0 with errno set if it cannot be written. */
static uint64_t write_header(const cll_spill_file *spill, int file)
{
    cll_writer *writer = cll_allocate(1, sizeof *writer, "the measurements");
    cll_summary summary = {.processors = cll_processors > cll_run_processor ? cll_processors : cll_run_processor + 1,
                           .body = spill->body,
                           .is_unfinished = 1,
                           .run = cll_host_run(),
                           .reports = whole_reports};
    cll_writer_start(writer, file);
    cll_trace_write_header(writer, &spill->layout, spill->backend == NULL ? cll_backend_in_use() : spill->backend, &summary);
    cll_writer_flush(writer);
    uint64_t size_bytes = writer->error == 0 ? writer->written_bytes : 0;
    int reason = writer->error;
    free(writer);
    errno = reason;
    return size_bytes;
}

/* Returns 0 with errno set if the file cannot be made. */
static int make_file(cll_spill_file *spill)
{
    int file = create_spill_file(spill);
    if (file < 0) {
        return 0;
    }
    spill->header_bytes = write_header(spill, file);
    spill->size_bytes = spill->header_bytes;
    int error = spill->header_bytes == 0 ? errno : 0;
    if (close(file) != 0 && error == 0) {
        error = errno;
    }
    if (error == 0 && cll_file_publish(spill->path, spill->path) != 0) {
        error = errno;
    }
    if (error != 0) {
        cll_file_discard(spill->path);
    }
    errno = error;
    return error == 0;
}

static void tell_that_it_failed(const cll_spill_file *spill)
{
    int reason = errno;
    if (cll_run_processor == 0) {
        cll_tell("cannot write %s: %s: %s stay in memory until they are reported, and a run that is killed loses them", spill->path,
                 strerror(reason), spill->body == CLL_TEXT_BODY ? "supersteps or events" : "measurements");
    }
}

static cll_spill_file *new_spill(const cll_unit *unit, cll_trace_body body, const cll_backend *backend)
{
    cll_spill_file *made = cll_allocate(1, sizeof *made, "the measurements");
    cll_layout_make(&made->layout, unit, NULL, body == CLL_SUMMARY_BODY);
    made->rows_of = cll_allocate((size_t)made->layout.experiment_count, sizeof *made->rows_of, "the measurements");
    made->abandoned_of = cll_allocate((size_t)made->layout.experiment_count, sizeof *made->abandoned_of, "the measurements");
    made->reports = whole_reports;
    made->body = body;
    made->backend = backend;
    if (!make_file(made)) {
        tell_that_it_failed(made);
        cll_spill_release(made);
        return NULL;
    }
    return made;
}

cll_spill_file *cll_spill_open(int has_summaries)
{
    const cll_unit *unit = cll_units_first();
    if (first_spill != NULL && first_spill->layout.description_count == cll_units_count() && first_spill->reports == whole_reports) {
        return first_spill;
    }
    if (unit == NULL) {
        return NULL;
    }
    cll_spill_file *made = new_spill(unit, has_summaries ? CLL_SUMMARY_BODY : CLL_BINARY_BODY, NULL);
    if (made != NULL) {
        made->next = first_spill;
        first_spill = made;
    }
    return made;
}

cll_spill_file *cll_spill_open_lines(const cll_unit *unit, const cll_backend *backend)
{
    return new_spill(unit, CLL_TEXT_BODY, backend);
}

void cll_spill_remove(cll_spill_file *spill)
{
    unlink(spill->path);
    cll_spill_release(spill);
}

/* Returns 0 where that is impossible, after a message; then the file is as before. */
static int append(cll_spill_file *spill, const void *bytes, size_t count)
{
    int file = open(spill->path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    int is_written = file >= 0 && cll_file_write(file, bytes, count);
    int reason = errno;
    if (file >= 0) {
        if (!is_written && ftruncate(file, (off_t)spill->size_bytes) != 0) {
            reason = errno;
        }
        if (close(file) != 0 && is_written) {
            is_written = 0;
            reason = errno;
        }
    }
    if (!is_written) {
        errno = reason;
        tell_that_it_failed(spill);
        return 0;
    }
    spill->size_bytes += count;
    return 1;
}

int cll_spill_append_lines(cll_spill_file *spill, const char *lines, size_t count)
{
    return append(spill, lines, count);
}

int cll_spill_append(cll_spill_file *spill, const cll_block_writer *block, const unsigned char *bytes, size_t count)
{
    if (!append(spill, bytes, count)) {
        return 0;
    }
    for (int experiment = 0; experiment < spill->layout.experiment_count; experiment++) {
        spill->rows_of[experiment] += block->rows_of[experiment];
    }
    return 1;
}

cll_spill_file *cll_spill_take(void)
{
    cll_spill_file *taken = first_spill;
    first_spill = NULL;
    return taken;
}

void cll_spill_give_back(cll_spill_file *first)
{
    cll_spill_file **end = &first_spill;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = first;
    /* They may be filled further: there is no report of this number, or they were written anew behind it. */
    for (cll_spill_file *given = first; given != NULL; given = given->next) {
        given->reports = whole_reports;
    }
}

/* Marks what stays; returns whether anything does. */
static int find_rest(cll_spill_file *spill, const cll_layout *reported)
{
    uint64_t rest = 0;
    for (int experiment = 0; experiment < spill->layout.experiment_count; experiment++) {
        if (cll_layout_match(reported, &spill->layout, experiment) >= 0) {
            spill->rows_of[experiment] = 0;
            spill->abandoned_of[experiment] = 0;
        }
        rest += spill->rows_of[experiment] + spill->abandoned_of[experiment];
    }
    return rest > 0;
}

/* A second file, which then takes the place of the first one. */
typedef struct {
    int file;
    uint64_t header_bytes;
    uint64_t size_bytes;
    int error;
} replacement;

static void start_replacement(replacement *its, const cll_spill_file *spill)
{
    its->file = cll_file_create_replacement(spill->path);
    its->header_bytes = its->file < 0 ? 0 : write_header(spill, its->file);
    its->size_bytes = its->header_bytes;
    its->error = its->header_bytes == 0 ? errno : 0;
}

static int finish_replacement(replacement *its, cll_spill_file *spill)
{
    if (its->file >= 0 && close(its->file) != 0 && its->error == 0) {
        its->error = errno;
    }
    if (its->error == 0 && cll_file_replace(spill->path) != 0) {
        its->error = errno;
    } else if (its->error != 0 && its->file >= 0) {
        cll_file_discard(spill->path);
    }
    if (its->error == 0) {
        spill->header_bytes = its->header_bytes;
        spill->size_bytes = its->size_bytes;
        spill->reports = whole_reports;
    } else {
        errno = its->error;
        tell_that_it_failed(spill);
    }
    return its->error == 0;
}

/* Copies the rows of the walk's block that stay. */
static void copy_rest(replacement *its, const cll_spill_walk *walk, size_t count, cll_block_reader *reader)
{
    cll_row row;
    cll_block_writer writer;
    if (!cll_block_open(reader, walk->bytes, count)) {
        return; /* not ours; a report has told it */
    }
    unsigned char *bytes = cll_allocate(count, 1, "the measurements");
    cll_block_writer_start(&writer, &walk->at->layout, count);
    while (cll_block_next(reader, &row)) {
        if (walk->at->rows_of[row.experiment] > 0) {
            cll_block_add(&writer, &row);
        }
    }
    size_t rest = cll_block_finish(&writer, bytes, reader->time);
    its->error = cll_file_write(its->file, bytes, rest) ? 0 : errno;
    its->size_bytes += rest;
    cll_block_writer_release(&writer);
    free(bytes);
}

static int write_rest(cll_spill_file *spill)
{
    replacement its;
    cll_spill_walk walk = {.at = spill};
    cll_block_reader reader;
    size_t count;
    cll_block_reader_start(&reader, &spill->layout);
    start_replacement(&its, spill);
    while (its.error == 0 && (count = cll_spill_next(&walk)) > 0) {
        copy_rest(&its, &walk, count, &reader);
    }
    cll_spill_walk_release(&walk);
    cll_block_reader_release(&reader);
    return finish_replacement(&its, spill);
}

/* They hold less of the same. */
static void remove_older(cll_spill_file *spill)
{
    while (spill->next != NULL) {
        cll_spill_file *older = spill->next;
        spill->next = older->next;
        unlink(older->path);
        cll_spill_release(older);
    }
}

int cll_spill_replace(cll_spill_file *spill, const cll_summaries *summaries)
{
    replacement its;
    cll_summary_walk walk = {0};
    cll_row row;
    cll_writer *writer = cll_allocate(1, sizeof *writer, "the measurements");
    start_replacement(&its, spill);
    cll_writer_start(writer, its.file);
    while (its.error == 0 && writer->error == 0 && cll_summaries_next(summaries, &walk, &row)) {
        row.processor += cll_run_processor;
        cll_trace_write_row(writer, &spill->layout, &row);
    }
    cll_writer_flush(writer);
    its.error = its.error == 0 ? writer->error : its.error;
    its.size_bytes += writer->written_bytes;
    cll_summary_walk_release(&walk);
    free(writer);
    if (!finish_replacement(&its, spill)) {
        return 0;
    }
    for (int experiment = 0; experiment < spill->layout.experiment_count; experiment++) {
        spill->rows_of[experiment] = cll_summaries_count(summaries, experiment);
    }
    remove_older(spill);
    return 1;
}

void cll_spill_forget(cll_spill_file *first, const cll_layout *reported)
{
    while (first != NULL) {
        cll_spill_file *spill = first;
        first = spill->next;
        spill->next = NULL;
        /* Summaries are in memory, too. */
        if (spill->layout.has_summaries || !find_rest(spill, reported)) {
            unlink(spill->path);
            cll_spill_release(spill);
        } else if (write_rest(spill)) {
            cll_spill_give_back(spill);
        } else {
            /* Its header tells readers which reports came after it. */
            cll_tell("what has not been reported of it stays in %s: load it together with the report", spill->path);
            cll_fail_at_end();
            cll_spill_release(spill);
        }
    }
}

static int has_others(const cll_spill_file *spill)
{
    return spill->most_processors > 1 && !cll_backend_in_use()->has_teams;
}

static uint64_t count_rows(const cll_spill_file *spill, int (*is_counted)(const char *name))
{
    uint64_t rows = 0;
    for (int experiment = 0; experiment < spill->layout.experiment_count; experiment++) {
        if (is_counted(spill->layout.experiments[experiment].description->name)) {
            rows += spill->rows_of[experiment];
        }
    }
    return rows;
}

static int is_any(const char *name)
{
    (void)name;
    return 1;
}

int cll_spill_has_rows(void)
{
    return cll_spill_rows(is_any) > 0;
}

uint64_t cll_spill_rows(int (*is_counted)(const char *name))
{
    uint64_t rows = 0;
    for (const cll_spill_file *spill = first_spill; spill != NULL; spill = spill->next) {
        rows += count_rows(spill, is_counted);
    }
    return rows;
}

void cll_spill_end(int (*is_missed)(const char *name))
{
    for (const cll_spill_file *spill = first_spill; spill != NULL; spill = spill->next) {
        uint64_t missed = count_rows(spill, is_missed);
        if (missed == 0) {
            unlink(spill->path);
        } else if (cll_run_processor == 0) {
            cll_tell("the program ended without a report of %llu %s: see %s%s", (unsigned long long)missed,
                     missed == 1 ? "measurement" : "measurements", spill->path,
                     has_others(spill) ? ", and the files of the other processors" : "");
        }
    }
}

void cll_spill_start_anew(void)
{
    whole_reports = 0;
}

void cll_spill_leave(void)
{
    while (first_spill != NULL) {
        cll_spill_file *left = first_spill;
        first_spill = left->next;
        cll_spill_release(left);
    }
}

static size_t read_block(cll_spill_walk *walk)
{
    unsigned char head[CLL_BLOCK_HEAD_BYTES];
    int file = walk->file - 1;
    if (file < 0 || !read_whole(file, head, sizeof head, walk->offset)) {
        return 0;
    }
    size_t count = cll_block_bytes(head, sizeof head);
    if (count == 0 || count > walk->at->size_bytes - walk->offset) {
        return 0;
    }
    if (count > walk->capacity_bytes) {
        free(walk->bytes);
        walk->bytes = cll_allocate(count, 1, "the measurements");
        walk->capacity_bytes = count;
    }
    return read_whole(file, walk->bytes, count, walk->offset) ? count : 0;
}

size_t cll_spill_next(cll_spill_walk *walk)
{
    if (walk->file == 0) {
        walk->file = open(walk->at->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) + 1;
        walk->offset = walk->at->header_bytes;
    }
    int is_at_end = walk->offset >= walk->at->size_bytes;
    size_t count = is_at_end ? 0 : read_block(walk);
    if (count == 0) {
        if (!is_at_end) {
            cll_tell("cannot read %s: what it kept of the run is not in the report", walk->at->path);
            cll_fail_at_end();
        }
        if (walk->file > 0) {
            close(walk->file - 1);
        }
        walk->file = 0;
    }
    walk->offset += count;
    return count;
}

void cll_spill_walk_release(cll_spill_walk *walk)
{
    if (walk->file > 0) {
        close(walk->file - 1);
    }
    free(walk->bytes);
}
