/* event_saving.h: events go into files of the unfinished run now and then, one for each processor, and a report has them from there and from
 * memory. */
#ifndef CLL_EVENT_SAVING_H
#define CLL_EVENT_SAVING_H

#include <stddef.h>
#include <stdint.h>

#include "event_blocks.h"
#include "event_definitions.h"

/* Whether CALL_EVENTS or a directive asks for events. */
int cll_events_are_wanted(void);

/* Reads CALL_SAVE. What they are events of: MPI or OpenMP. */
void cll_events_start_saving(cll_kind kind);

/* From now on it is saved, every second. */
void cll_events_save_stream(cll_event_stream *stream);

/* Whether a block is full, or it is time to save. */
int cll_events_are_to_be_saved(const cll_event_stream *stream, uint64_t now_ticks);

/* Nobody records into the stream, or adds definitions, meanwhile. Where one cannot be written, which is told, none is any more. */
void cll_events_save(cll_event_stream *stream);
int cll_events_have_unsaved(const cll_event_stream *stream);

/* Behind what was saved. */
void cll_events_save_lines(cll_event_stream *stream, const char *lines, size_t length);

/* Whether there are events to report; not while other threads record some. The second function tells of how many processors of this process. */
int cll_events_are_there(void);
int cll_events_processors(void);

/* Set by what records: whether other threads may be recording, and what there is to do before and behind a report, which has a caller in the program
 * or none. */
extern int cll_events_are_growing;
extern void (*cll_events_close)(void *caller);
extern void (*cll_events_reopen)(void);

/* How a program that has no directives reports; set by what lies above. */
extern void (*cll_events_report)(void *caller);

/* The sections of events of this process, handed out in pieces of whole lines and blocks. Start with a zeroed one. */
typedef struct {
    int is_started;
    cll_event_stream *stream; /* whose section it is */
    cll_event_definitions definitions;
    size_t told_bytes; /* of the definitions */
    int file;          /* plus 1; 0: none is open */
    size_t saved;      /* number of the next saved block */
    cll_event_block *block; /* the next one in memory */
} cll_events_walk;

/* Copies what comes next into the bytes, in which there is room for a block or line at least if they are to be used; returns how many, 0
 * at the end or where nothing more fits. */
size_t cll_events_next(cll_events_walk *walk, unsigned char *bytes, size_t capacity);
void cll_events_end_walk(cll_events_walk *walk);

/* Blocks in a piece get the clock of this processor, if it is that of all. */
void cll_events_use_own_clock(unsigned char *piece, size_t count);

/* All of it has been reported; and how often it has been. */
void cll_events_forget(void);
int cll_events_reports(void);

#endif
