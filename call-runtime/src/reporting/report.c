/* report.c: takes the measurements of all processors, and writes the file. */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/file.h"
#include "../bsp/superstep_saving.h"
#include "../bsp/supersteps.h"
#include "../events/event_closing.h"
#include "../events/event_saving.h"
#include "../measuring/measurement.h"
#include "../recording/left_open.h"
#include "../saving/trace.h"
#include "gather.h"

/* From so many rows on a text is announced before it is written. */
#define MANY_ROWS UINT64_C(10000000)

typedef struct {
    cll_layout layout;
    cll_row_source source;
    cll_gathering gathering;
    cll_trace_body body;
    char *path;
    unsigned long number;
    cll_writer *writer; /* of processor 0 */
    cll_own_p *own_p; /* of each experiment */
} report;

/* NAME.call.K.dat */
static char *path_of_number(const report *its, unsigned long number)
{
    char *name = cll_trace_path(its->layout.unit);
    size_t capacity = strlen(name) + 64;
    char *path = cll_allocate(1, capacity, "the report");
    snprintf(path, capacity, "%s.call.%lu.dat", name, number);
    free(name);
    return path;
}

/* For the first number that is free; until it is whole, what it reports is in the files of the processors. -1 with errno if that fails. */
static int create_file(report *its)
{
    for (its->number = 0;; its->number++) {
        its->path = path_of_number(its, its->number);
        int file = cll_file_create(its->path);
        if (file >= 0 || errno != EEXIST) {
            return file;
        }
        free(its->path);
    }
}

/* Somebody else may have made a file of that name meanwhile. */
static void publish_file(report *its)
{
    char *as = path_of_number(its, its->number);
    while (cll_file_publish(its->path, as) != 0) {
        if (errno != EEXIST) {
            its->writer->error = errno;
            break;
        }
        free(as);
        as = path_of_number(its, ++its->number);
    }
    if (its->writer->error == 0) {
        free(its->path);
        its->path = as;
    } else {
        free(as);
    }
}

static int is_quiet(void)
{
    const char *quiet = getenv("CALL_QUIET");
    return quiet != NULL && *quiet != '\0' && strcmp(quiet, "0") != 0;
}

static void announce(const report *its, uint64_t rows)
{
    if (!is_quiet() && rows >= MANY_ROWS && its->body == CLL_TEXT_BODY) {
        cll_tell("writing %.1f million rows to %s as text: CALL_TRACE=binary is several times as fast, CALL_TRACE=summary small", (double)rows / 1e6,
                 its->path);
    }
}

/* With the size if it is worth a word. */
static void tell_success(const report *its, uint64_t rows)
{
    const double worth_a_word = 1e6;
    double size = (double)its->writer->written_bytes;
    const char *unit = size < 1e9 ? "MB" : "GB";
    char words[64] = "";
    if (is_quiet()) {
        return;
    }
    if (size >= worth_a_word) {
        snprintf(words, sizeof words, ", %.1f %s", size / (size < 1e9 ? 1e6 : 1e9), unit);
    }
    cll_tell("wrote %s (%llu %s%s)", its->path, (unsigned long long)rows, rows == 1 ? "row" : "rows", words);
}

static void look_at_p(const report *its, const cll_row *row)
{
    cll_own_p_look(&its->own_p[row->experiment], &its->layout.experiments[row->experiment], row);
}

static uint64_t write_block_as_text(report *its, cll_block_reader *reader, uint64_t subtracted_ns)
{
    uint64_t rows = 0;
    cll_row row;
    while (its->writer->error == 0 && cll_block_next(reader, &row)) {
        row.time = row.time < subtracted_ns ? 0 : row.time - subtracted_ns;
        cll_trace_write_row(its->writer, &its->layout, &row);
        look_at_p(its, &row);
        rows++;
    }
    return rows;
}

static void look_at_block(const report *its, cll_block_reader *reader)
{
    int has_own_p = 0;
    cll_row row;
    for (int number = 0; number < its->layout.experiment_count; number++) {
        has_own_p |= its->own_p[number].place > 0;
    }
    while (has_own_p && cll_block_next(reader, &row)) {
        look_at_p(its, &row);
    }
}

/* Returns the number of rows. */
static uint64_t write_piece(report *its, unsigned char *piece, size_t count, cll_block_reader *reader)
{
    /* Summaries are of shorter times already. */
    uint64_t subtracted_ns = its->layout.has_summaries ? 0 : cll_clock_subtracted_ns();
    uint64_t rows = 0;
    size_t offset = 0;
    while (offset < count) {
        size_t block_bytes = cll_block_bytes(piece + offset, count - offset);
        if (!cll_block_open(reader, piece + offset, count - offset)) {
            cll_fail("report: another processor sent what is no block of rows: not all processors run the same program");
        }
        if (its->body == CLL_BINARY_BODY) {
            cll_block_set_subtracted(piece + offset, subtracted_ns);
            cll_write_bytes(its->writer, (const char *)piece + offset, block_bytes);
            rows += reader->rows;
            look_at_block(its, reader);
        } else {
            rows += write_block_as_text(its, reader, subtracted_ns);
        }
        offset += block_bytes;
    }
    return rows;
}

static uint64_t write_rows(report *its)
{
    cll_block_reader reader;
    unsigned char *piece = cll_allocate(1, its->gathering.piece_bytes, "the report");
    uint64_t rows = 0;
    size_t count;
    cll_block_reader_start(&reader, &its->layout);
    while (its->writer->error == 0 && (count = cll_gather_piece(&its->gathering, CLL_GATHER_ROWS, piece)) > 0) {
        rows += write_piece(its, piece, count, &reader);
    }
    cll_block_reader_release(&reader);
    free(piece);
    return rows;
}

static void write_sections(report *its, cll_gather_section section)
{
    unsigned char *piece = cll_allocate(1, its->gathering.piece_bytes, "the report");
    size_t count;
    while (its->writer->error == 0 && (count = cll_gather_piece(&its->gathering, section, piece)) > 0) {
        if (section == CLL_GATHER_EVENTS) {
            cll_events_use_own_clock(piece, count);
        }
        cll_write_bytes(its->writer, (const char *)piece, count);
    }
    free(piece);
}

static void tell_own_p(report *its)
{
    for (int number = 0; number < its->layout.experiment_count; number++) {
        cll_own_p_tell(&its->own_p[number], its->layout.experiments[number].description->name, its->writer);
    }
}

/* Returns whether the file is whole. A part of it would stand beside what stays in the files of the processors. */
static int write_trace(report *its, const cll_summary *summary, const cll_total *total)
{
    uint64_t rows = 0;
    int file = create_file(its);
    if (file < 0) {
        its->writer->error = errno;
    } else {
        cll_writer_start(its->writer, file);
        cll_trace_write_header(its->writer, &its->layout, its->gathering.backend, summary);
        announce(its, total->rows);
        rows = write_rows(its);
        if (total->has_supersteps) {
            write_sections(its, CLL_GATHER_SUPERSTEPS);
        }
        if (total->has_events) {
            write_sections(its, CLL_GATHER_EVENTS);
        }
        cll_trace_write_end(its->writer, rows);
        cll_writer_flush(its->writer);
        tell_own_p(its);
        if (close(file) != 0 && its->writer->error == 0) {
            its->writer->error = errno;
        }
        if (its->writer->error == 0) {
            publish_file(its);
        }
        if (its->writer->error != 0) {
            cll_file_discard(its->path);
        }
    }
    if (its->writer->error == 0) {
        tell_success(its, rows);
    } else {
        cll_tell("cannot write %s: %s", its->path, strerror(its->writer->error));
        cll_fail_at_end();
    }
    free(its->path);
    return its->writer->error == 0;
}

/* Returns whether everything was reported. */
static int report_first(report *its, const cll_total *total)
{
    its->writer = cll_allocate(1, sizeof *its->writer, "the report");
    const cll_backend *backend = its->gathering.backend;
    cll_summary summary = {.processors = backend->has_teams ? total->most_processors : its->gathering.processors,
                           .abandoned = total->abandoned,
                           .late_chunks = total->late_chunks,
                           .processor_time = total->processor_time,
                           .pair_cost_ns = cll_cost_of_pair_ns(),
                           .measuring_ns = total->cost.measuring_ns,
                           .running_ns = total->cost.running_ns,
                           .body = its->body,
                           .run = cll_host_run(),
                           .reports = its->source.report,
                           .own_p = backend == &cll_sequential_backend ? NULL : its->own_p};
    if (total->differing >= 0) {
        cll_fail("report: processor %d has other experiments than processor 0: run the same program on both, or report on a "
                 "communicator of those that do",
                 total->differing);
    }
    int is_reported = write_trace(its, &summary, total);
    cll_gather_finish(&its->gathering, is_reported);
    free(its->writer);
    return is_reported;
}

static void gather(const cll_backend *backend, const cll_unit *unit, const void *place, const char *names)
{
    report *its = cll_allocate(1, sizeof *its, "the report");
    its->body = cll_trace_wanted_body();
    cll_clock_start(); /* nothing may have been measured */
    cll_measure_empty_pair_of_report(backend->processor(place) == 0);
    cll_layout_make(&its->layout, unit, names, its->body == CLL_SUMMARY_BODY);
    its->own_p = cll_allocate((size_t)its->layout.experiment_count, sizeof *its->own_p, "the report");
    cll_row_source_take(&its->source, &its->layout, backend, place);
    cll_left_open_tell();
    cll_total total = cll_gather_start(&its->gathering, backend, place, &its->source);
    int is_reported = its->gathering.processor == 0 ? report_first(its, &total) : cll_gather_serve(&its->gathering, &total);
    if (is_reported) {
        cll_row_source_forget(&its->source);
        cll_supersteps_remove_saved();
        cll_supersteps_forget();
        cll_events_forget();
    } else {
        cll_row_source_give_back(&its->source);
    }
    cll_gather_release(&its->gathering);
    cll_layout_release(&its->layout);
    free(its->own_p);
    free(its);
}

void cll_write_report(const cll_backend *backend, const cll_unit *unit, const void *machine, const char *names, void *caller)
{
    const void *place = machine;
    cll_supersteps_enter_report(caller);
    cll_event_barrier_caller = caller;
    if (backend->enter_report == NULL || backend->enter_report(machine, &place)) {
        if (cll_events_close != NULL) {
            cll_events_close(caller);
        }
        cll_events_begin_reading();
        gather(backend, unit, place, names);
        cll_events_end_reading();
        if (cll_events_reopen != NULL) {
            cll_events_reopen();
        }
    }
    if (backend->leave_report != NULL) {
        backend->leave_report(place);
    }
    cll_event_barrier_caller = NULL;
    cll_supersteps_leave_report();
}
