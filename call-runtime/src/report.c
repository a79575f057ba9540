/* report.c: gathers the measurements of all processors to processor 0, which writes them into a new trace file. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* -1 if the record is not of this report; a program of several translated files has experiments that are not. */
static int selected_number(report *its, const cll_record *record)
{
    numbered key = {record->experiment, 0};
    if (its->last.experiment != key.experiment) {
        const numbered *found = bsearch(&key, its->numbers, (size_t)its->layout.program->experiment_count, sizeof key, by_address);
        its->last.experiment = key.experiment;
        its->last.number = found == NULL || !its->layout.is_selected[found->number] ? -1 : found->number;
    }
    return its->last.number;
}

static cll_record *next_selected(report *its, cll_record_walk *walk, int *number)
{
    cll_record *record;
    while ((record = cll_record_next(walk)) != NULL) {
        *number = record->state == CLL_FORGOTTEN ? -1 : selected_number(its, record);
        if (*number >= 0) {
            return record;
        }
    }
    return NULL;
}

static void forget(report *its)
{
    cll_record_walk walk = {0};
    cll_record *record;
    int number;
    while ((record = next_selected(its, &walk, &number)) != NULL) {
        if (record->state != CLL_OPEN) {
            record->state = CLL_FORGOTTEN;
        }
    }
    cll_record_late_chunks = 0;
    cll_record_sweep();
}

static travelling_summary summarise(report *its)
{
    travelling_summary summary = {0, cll_record_late_chunks};
    cll_record_walk walk = {0};
    const cll_record *record;
    int number;
    while ((record = next_selected(its, &walk, &number)) != NULL) {
        summary.abandoned += record->state == CLL_ABANDONED;
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
    cll_record_walk walk = {0};
    const cll_record *record;
    uint64_t rows = 0;
    int number;
    while (writer->error == 0 && (record = next_selected(its, &walk, &number)) != NULL) {
        if (record->state == CLL_MEASURED) {
            cll_trace_write_row(writer, &its->layout, number, 0, record->processors, record->values, record->is.elapsed_ns);
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
            int variables = its->layout.program->experiments[record->experiment]->variable_count;
            cll_trace_write_row(writer, &its->layout, record->experiment, processor, record->processors, values, record->elapsed_ns);
            offset += sizeof *record + (size_t)variables * sizeof *values;
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
    const char *name = its->layout.program->name;
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
        cll_trace_write_header(&writer, &its->layout, its->backend, summary);
        rows = write_own_rows(its, &writer);
        for (int processor = 1; processor < summary->processors; processor++) {
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

static void report_first(report *its, travelling_summary own)
{
    cll_summary total = {its->backend->processors(its->machine), own.abandoned, own.late_chunks};
    for (int processor = 1; processor < total.processors; processor++) {
        travelling_summary others;
        its->backend->receive(its->machine, processor, &others, sizeof others);
        total.abandoned += others.abandoned;
        total.late_chunks += others.late_chunks;
    }
    int is_written = write_trace(its, &total);
    for (int processor = 1; processor < total.processors; processor++) {
        send_request(its, processor, is_written ? FORGET_ALL : KEEP_ALL);
    }
    if (is_written) {
        forget(its);
    }
}

static size_t fill_piece(report *its, cll_record_walk *walk)
{
    size_t count = 0;
    int number;
    for (;;) {
        cll_record_walk before = *walk;
        const cll_record *record = next_selected(its, walk, &number);
        if (record == NULL) {
            return count;
        }
        if (record->state != CLL_MEASURED) {
            continue;
        }
        travelling_record head = {number, record->processors, record->is.elapsed_ns};
        size_t value_bytes = (size_t)record->experiment->variable_count * sizeof *record->values;
        if (count + sizeof head + value_bytes > its->piece_bytes) {
            *walk = before;
            return count;
        }
        memcpy(its->piece + count, &head, sizeof head);
        memcpy(its->piece + count + sizeof head, record->values, value_bytes);
        count += sizeof head + value_bytes;
    }
}

static void report_other(report *its, travelling_summary own)
{
    cll_record_walk walk = {0};
    int32_t wanted;
    its->backend->send(its->machine, 0, &own, sizeof own);
    for (;;) {
        its->backend->receive(its->machine, 0, &wanted, sizeof wanted);
        if (wanted != SEND_A_PIECE) {
            break;
        }
        its->backend->send(its->machine, 0, its->piece, fill_piece(its, &walk));
    }
    if (wanted == FORGET_ALL) {
        forget(its);
    }
}

static void start_report(report *its, const cll_program *program, const void *machine, const char *names)
{
    size_t count = (size_t)program->experiment_count;
    its->backend = cll_backend_of(program);
    its->machine = machine;
    its->last.experiment = NULL;
    its->last.number = -1;
    cll_layout_make(&its->layout, program, names);
    its->piece_bytes = PIECE_BYTES;
    its->numbers = malloc((count + 1) * sizeof *its->numbers);
    for (size_t number = 0; its->numbers != NULL && number < count; number++) {
        const cll_experiment *experiment = program->experiments[number];
        size_t record_bytes = sizeof(travelling_record) + (size_t)experiment->variable_count * sizeof(cll_value);
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
}

void cll_report(const cll_program *program, const void *machine, const char *names)
{
    report its;
    start_report(&its, program, machine, names);
    travelling_summary own = summarise(&its);
    if (its.backend->processor(machine) == 0) {
        report_first(&its, own);
    } else {
        report_other(&its, own);
    }
    cll_layout_release(&its.layout);
    free(its.numbers);
    free(its.piece);
}
