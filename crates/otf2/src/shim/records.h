/* records.h: what goes between an OTF2 archive and Rust, both ways: definitions and events as numbers. The numbers of regions, groups,
 * communicators, texts are the references of the archive; those of roles, paradigms, types and operations are OTF2's. */
#ifndef CALL_OTF2_RECORDS_H
#define CALL_OTF2_RECORDS_H

#include <stdint.h>

enum { CALL_OTF2_MOST_NUMBERS = 7, CALL_OTF2_MOST_ATTRIBUTES = 2 };

/* Behind each its numbers. */
typedef enum {
    CALL_OTF2_CLOCK,          /* ticks a second, ticks of the origin, ticks of the whole */
    CALL_OTF2_TEXT,           /* self; text */
    CALL_OTF2_ATTRIBUTE,      /* self, name; of type string */
    CALL_OTF2_LOCATION_GROUP, /* self, name, type; written as a part of machine 0 */
    CALL_OTF2_LOCATION,       /* self, name, type, events, location group */
    CALL_OTF2_REGION,         /* self, name, description, role, paradigm, source file, first line */
    CALL_OTF2_GROUP,          /* self, name, type, paradigm, flags; members */
    CALL_OTF2_COMMUNICATOR,   /* self, name, group */
    CALL_OTF2_INTERCOMMUNICATOR, /* self, name, group, other group */
    CALL_OTF2_WINDOW,         /* self, name, communicator */
    CALL_OTF2_PARAMETER,      /* self, name; of type string */
    CALL_OTF2_MACHINE,        /* self, name, its kind; only written, as is the next */
    CALL_OTF2_PARADIGM,       /* self, name */
    CALL_OTF2_FIRST_EVENT = 100,
    CALL_OTF2_ENTER = CALL_OTF2_FIRST_EVENT, /* region */
    CALL_OTF2_LEAVE,               /* region */
    CALL_OTF2_SEND,                /* rank of the receiver, communicator, tag, bytes */
    CALL_OTF2_SEND_REQUEST,        /* likewise, request */
    CALL_OTF2_SEND_COMPLETE,       /* request */
    CALL_OTF2_RECEIVE,             /* rank of the sender, communicator, tag, bytes */
    CALL_OTF2_RECEIVE_REQUEST,     /* request */
    CALL_OTF2_RECEIVE_COMPLETE,    /* rank of the sender, communicator, tag, bytes, request */
    CALL_OTF2_CANCELLED,           /* request */
    CALL_OTF2_COLLECTIVE_BEGIN,
    CALL_OTF2_COLLECTIVE_END,      /* operation, communicator, root, bytes sent, bytes received */
    CALL_OTF2_COLLECTIVE_REQUEST,  /* request */
    CALL_OTF2_COLLECTIVE_COMPLETE, /* operation, communicator, root, bytes sent, bytes received, request */
    CALL_OTF2_WINDOW_COLLECTIVE,   /* operation, window, root, bytes sent, bytes received */
    CALL_OTF2_PROGRAM_BEGIN,       /* name */
    CALL_OTF2_PROGRAM_END,
    CALL_OTF2_BUFFER_FLUSH,        /* ticks of its end */
    CALL_OTF2_RECORDING,           /* 1: on from now on, 2: off */
    CALL_OTF2_CALLING_CONTEXT,     /* one of another way to record calls */
    CALL_OTF2_COUNTERS,            /* how many values */
    CALL_OTF2_PARAMETER_TEXT,      /* parameter, text */
    CALL_OTF2_REMOTE_ACCESS,       /* rank of the other, window, whether it is one of accumulation, bytes sent, bytes received */
    CALL_OTF2_GROUP_SYNC,          /* group, window */
    CALL_OTF2_LOCK,                /* rank of the other, window, whether it is shared */
    CALL_OTF2_UNLOCK               /* rank of the other, window */
} call_otf2_kind;

typedef struct {
    uint64_t reference;
    uint64_t text;
} call_otf2_attribute;

typedef struct {
    uint32_t kind;
    uint32_t attribute_count; /* of events */
    uint64_t location;        /* of events */
    uint64_t ticks;           /* of events */
    uint64_t numbers[CALL_OTF2_MOST_NUMBERS];
    call_otf2_attribute attributes[CALL_OTF2_MOST_ATTRIBUTES];
    const char *text; /* of CALL_OTF2_TEXT, and valid during the call that it is an argument of; so are members */
    const uint64_t *members;
    uint64_t member_count;
} call_otf2_record;

typedef void (*call_otf2_sink)(void *user, const call_otf2_record *record);

/* What the last call that failed in this thread failed at. */
const char *call_otf2_problem(void);
/* From now on the library says nothing itself, and the problem is empty. */
void call_otf2_forget_problem(void);

typedef struct call_otf2_reader call_otf2_reader;

/* NULL if there is no archive with this anchor file. */
call_otf2_reader *call_otf2_reader_open(const char *anchor_file);
/* Text that the writer of the archive has put there, or NULL; the caller frees it by the function below. */
char *call_otf2_reader_creator(call_otf2_reader *reader);
void call_otf2_free(char *text);
/* Hands all global definitions over, of which there cannot be more than so many; like those below, says 0 for success. */
int call_otf2_reader_definitions(call_otf2_reader *reader, uint64_t most, call_otf2_sink sink, void *user);
/* Names the locations whose events will be asked for. */
int call_otf2_reader_select(call_otf2_reader *reader, const uint64_t *locations, uint64_t count);
/* Hands the events of one over, and counts all that are there; those before the place where it failed have been handed over. */
int call_otf2_reader_events(call_otf2_reader *reader, uint64_t location, call_otf2_sink sink, void *user, uint64_t *count);
void call_otf2_reader_close(call_otf2_reader *reader);

typedef struct call_otf2_writer call_otf2_writer;

/* The archive will be FOLDER/NAME.otf2, FOLDER/NAME.def and what is in FOLDER/NAME. */
call_otf2_writer *call_otf2_writer_open(const char *folder, const char *name, const char *creator);
/* All events come before all definitions, those of a location behind each other. One without events begins by its number. */
int call_otf2_writer_begin(call_otf2_writer *writer, uint64_t location);
int call_otf2_writer_write(call_otf2_writer *writer, const call_otf2_record *record);
/* Writes what is left. The writer is gone afterwards, whatever came of it. */
int call_otf2_writer_close(call_otf2_writer *writer);

#endif
