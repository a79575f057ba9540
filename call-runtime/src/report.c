/* report.c: gathers the measurements of all processors to processor 0, which writes them into a new trace file. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "collection.h"
#include "fail.h"
#include "trace.h"

/* Processor 0 asks for one piece at a time, so this much of the other processors is in flight. */
#define PIECE_BYTES ((size_t)1 << 18)

/* A record on its way to processor 0: addresses may differ between processes, so the experiment goes by number. */
typedef struct {
    int32_t experiment;
    int32_t processors;
    uint64_t elapsed_ns;
} travelling_record;

typedef struct {
    uint64_t abandoned;
    uint64_t late_chunks;
    uint64_t fingerprint; /* of the experiments, by which their numbers mean the same everywhere */
} travelling_summary;

/* What processor 0 says to the others. */
typedef enum { SEND_A_PIECE, FORGET_ALL, KEEP_ALL } report_request;

typedef struct {
    const cll_experiment *experiment;
    int number;
} numbered;

typedef struct {
    const cll_backend *backend;
    const void *machine;
    cll_layout layout;
    cll_collection own;
    numbered *numbers; /* by address */
    numbered last;     /* found by the search before: mostly the same again */
    unsigned char *piece;
    size_t piece_bytes;
} report;

static int by_address(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t)((const numbered *)left)->experiment;
    uintptr_t b = (uintptr_t)((const numbered *)right)->experiment;
    return (a > b) - (a < b);
}

/* The description of the record's experiment; -1 if this report leaves it out. */
static int number_of(report *its, const cll_record *record)
{
    numbered key = {record->experiment, 0};
    if (its->last.experiment != key.experiment) {
        const numbered *found = bsearch(&key, its->numbers, (size_t)its->layout.description_count, sizeof key, by_address);
        its->last.experiment = key.experiment;
        its->last.number = found == NULL || !its->layout.is_selected[found->number] ? -1 : found->number;
    }
    return its->last.number;
}

static int is_selected(void *of_report, const cll_record *record)
{
    return number_of(of_report, record) >= 0;
}

/* FNV-1a of names and numbers of variables. */
static uint64_t fingerprint_of(const cll_layout *layout)
{
    const uint64_t prime = UINT64_C(1099511628211);
    uint64_t fingerprint = UINT64_C(14695981039346656037);
    for (int number = 0; number < layout->description_count; number++) {
        const cll_experiment *experiment = layout->descriptions[number].experiment;
        for (const char *at = experiment->name; *at != '\0'; at++) {
            fingerprint = (fingerprint ^ (unsigned char)*at) * prime;
        }
        fingerprint = (fingerprint ^ (uint64_t)cll_value_count(experiment) << 8) * prime;
    }
    return fingerprint;
}

static travelling_summary summarise(const report *its)
{
    travelling_summary summary = {0, its->own.late_chunks, fingerprint_of(&its->layout)};
    for (size_t at = 0; at < its->own.count; at++) {
        summary.abandoned += cll_record_state(its->own.records[at]) == CLL_ABANDONED;
    }
    return summary;
}

/* Creates NAME.call.K.dat with the first K that is free. */
static int create_file(const char *name, char *path, size_t capacity)
{
    for (unsigned long number = 0;; number++) {
        snprintf(path, capacity, "%s.call.%lu.dat", name, number);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0 || (errno != EEXIST && errno != EINTR)) {
            return file;
        }
        if (errno == EINTR) {
            number--;
        }
    }
}

static uint64_t write_own_rows(report *its, cll_writer *writer)
{
    uint64_t rows = 0;
    for (size_t at = 0; writer->error == 0 && at < its->own.count; at++) {
        const cll_record *record = its->own.records[at];
        if (cll_record_state(record) == CLL_MEASURED) {
            int processor = its->backend->has_teams ? record->thread : 0;
            cll_trace_write_row(writer, &its->layout, number_of(its, record), processor, record->processors, record->values,
                                cll_clock_nanoseconds(record->is.elapsed_ticks));
            rows++;
        }
    }
    return rows;
}

static void send_request(report *its, int processor, report_request wanted)
{
    int32_t message = wanted;
    its->backend->send(its->machine, processor, &message, sizeof message);
}

static uint64_t write_rows_of(report *its, cll_writer *writer, int processor)
{
    uint64_t rows = 0;
    size_t count = its->piece_bytes;
    /* An empty piece is the last one. */
    while (writer->error == 0 && count > 0) {
        send_request(its, processor, SEND_A_PIECE);
        count = its->backend->receive(its->machine, processor, its->piece, its->piece_bytes);
        for (size_t offset = 0; offset < count;) {
            const travelling_record *record = (const travelling_record *)(const void *)(its->piece + offset);
            const cll_value *values = (const cll_value *)(const void *)(record + 1);
            int value_count = cll_value_count(its->layout.descriptions[record->experiment].experiment);
            cll_trace_write_row(writer, &its->layout, record->experiment, processor, record->processors, values, record->elapsed_ns);
            offset += sizeof *record + (size_t)value_count * sizeof *values;
            rows++;
        }
    }
    return rows;
}

static void tell_success(const char *path, uint64_t rows)
{
    const char *quiet = getenv("CALL_QUIET");
    if (quiet == NULL || *quiet == '\0' || strcmp(quiet, "0") == 0) {
        cll_tell("wrote %s (%llu %s)", path, (unsigned long long)rows, rows == 1 ? "row" : "rows");
    }
}

/* A file beyond the limit of the shell is an error to be told like any other, not the end of the process. */
static void ignore_size_signal(struct sigaction *before)
{
    struct sigaction ignore;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGXFSZ, &ignore, before);
}

/* Returns whether the file is whole. */
static int write_trace(report *its, const cll_summary *summary)
{
    static cll_writer writer;
    const char *name = its->layout.unit->name;
    size_t capacity = strlen(name) + 64;
    char *path = malloc(capacity);
    if (path == NULL) {
        cll_fail("no memory for the report");
    }
    uint64_t rows = 0;
    struct sigaction size_action;
    ignore_size_signal(&size_action);
    int file = create_file(name, path, capacity);
    cll_writer_start(&writer, file);
    if (file < 0) {
        writer.error = errno;
    } else {
        its->layout.subtracted_ns = cll_record_subtracted_ns();
        cll_trace_write_header(&writer, &its->layout, its->backend, summary);
        rows = write_own_rows(its, &writer);
        for (int processor = 1; processor < its->backend->processors(its->machine); processor++) {
            rows += write_rows_of(its, &writer, processor);
        }
        cll_trace_write_end(&writer, rows);
        cll_writer_flush(&writer);
        if (close(file) != 0 && writer.error == 0) {
            writer.error = errno;
        }
        if (writer.error != 0) {
            unlink(path);
        }
    }
    sigaction(SIGXFSZ, &size_action, NULL);
    if (writer.error == 0) {
        tell_success(path, rows);
    } else {
        cll_tell("cannot write %s: %s", path, strerror(writer.error));
        cll_fail_at_end();
    }
    free(path);
    return writer.error == 0;
}

/* The largest team that measured. */
static int team_processors(const report *its)
{
    int processors = 1;
    for (size_t at = 0; at < its->own.count; at++) {
        int team = its->own.records[at]->processors;
        processors = team > processors ? team : processors;
    }
    return processors;
}

static void report_first(report *its, travelling_summary own)
{
    int processes = its->backend->processors(its->machine);
    cll_summary total = {its->backend->has_teams ? team_processors(its) : processes, own.abandoned, own.late_chunks};
    for (int processor = 1; processor < processes; processor++) {
        travelling_summary others;
        its->backend->receive(its->machine, processor, &others, sizeof others);
        if (others.fingerprint != own.fingerprint) {
            cll_fail("report: processor %d has other experiments than processor 0: run the same program on both, or report on a "
                     "communicator of those that do",
                     processor);
        }
        total.abandoned += others.abandoned;
        total.late_chunks += others.late_chunks;
    }
    int is_written = write_trace(its, &total);
    for (int processor = 1; processor < processes; processor++) {
        send_request(its, processor, is_written ? FORGET_ALL : KEEP_ALL);
    }
    if (is_written) {
        cll_collection_forget(&its->own);
    }
}

/* From record number `*at` on. */
static size_t fill_piece(report *its, size_t *at)
{
    size_t count = 0;
    for (; *at < its->own.count; ++*at) {
        const cll_record *record = its->own.records[*at];
        travelling_record head = {number_of(its, record), record->processors, cll_clock_nanoseconds(record->is.elapsed_ticks)};
        size_t value_bytes = (size_t)cll_value_count(record->experiment) * sizeof *record->values;
        if (cll_record_state(record) != CLL_MEASURED) {
            continue;
        }
        if (count + sizeof head + value_bytes > its->piece_bytes) {
            break;
        }
        memcpy(its->piece + count, &head, sizeof head);
        memcpy(its->piece + count + sizeof head, record->values, value_bytes);
        count += sizeof head + value_bytes;
    }
    return count;
}

static void report_other(report *its, travelling_summary own)
{
    size_t at = 0;
    int32_t wanted;
    its->backend->send(its->machine, 0, &own, sizeof own);
    for (;;) {
        its->backend->receive(its->machine, 0, &wanted, sizeof wanted);
        if (wanted != SEND_A_PIECE) {
            break;
        }
        its->backend->send(its->machine, 0, its->piece, fill_piece(its, &at));
    }
    if (wanted == FORGET_ALL) {
        cll_collection_forget(&its->own);
    }
}

static void start_report(report *its, const cll_unit *unit, const void *machine, const char *names)
{
    its->machine = machine;
    cll_clock_calibrate();
    its->last.experiment = NULL;
    its->last.number = -1;
    cll_layout_make(&its->layout, unit, names);
    size_t count = (size_t)its->layout.description_count;
    its->piece_bytes = PIECE_BYTES;
    its->numbers = malloc((count + 1) * sizeof *its->numbers);
    for (size_t number = 0; its->numbers != NULL && number < count; number++) {
        const cll_experiment *experiment = its->layout.descriptions[number].experiment;
        size_t record_bytes = sizeof(travelling_record) + (size_t)cll_value_count(experiment) * sizeof(cll_value);
        its->numbers[number].experiment = experiment;
        its->numbers[number].number = (int)number;
        if (its->piece_bytes < record_bytes) {
            its->piece_bytes = record_bytes;
        }
    }
    its->piece = malloc(its->piece_bytes);
    if (its->numbers == NULL || its->piece == NULL) {
        cll_fail("no memory for the report");
    }
    qsort(its->numbers, count, sizeof *its->numbers, by_address);
    cll_collection_take(&its->own, is_selected, its, its->backend->has_teams);
}

static void gather(const cll_backend *backend, const cll_unit *unit, const void *machine, const char *names)
{
    report its;
    its.backend = backend;
    start_report(&its, unit, machine, names);
    travelling_summary own = summarise(&its);
    if (backend->processor(machine) == 0) {
        report_first(&its, own);
    } else {
        report_other(&its, own);
    }
    cll_collection_release(&its.own);
    cll_layout_release(&its.layout);
    free(its.numbers);
    free(its.piece);
}

void cll_report(const cll_unit *unit, const void *machine, const char *names)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    const cll_backend *backend = cll_backend_of(unit);
    int takes_part = backend->enter_report == NULL || backend->enter_report(machine);
    if (takes_part) {
        pthread_mutex_lock(&one_at_a_time);
        gather(backend, unit, machine, names);
        pthread_mutex_unlock(&one_at_a_time);
    }
    if (backend->leave_report != NULL) {
        backend->leave_report(machine);
    }
}
