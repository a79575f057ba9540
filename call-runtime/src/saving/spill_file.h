/* spill_file.h: files of measurements that have not been reported: traces with a binary body and without an end. All functions but the
 * reading ones are called with the recorders locked. */
#ifndef CLL_SPILL_FILE_H
#define CLL_SPILL_FILE_H

#include "../program/backend.h"
#include "block.h"
#include "summaries.h"
#include "trace.h"

/* One file of this process. */
typedef struct cll_spill_file {
    struct cll_spill_file *next;
    char *path;      /* absolute, as the program may change its directory */
    cll_layout layout; /* of all experiments that were known when the file was made */
    uint64_t header_bytes;
    uint64_t size_bytes; /* of what is whole */
    uint64_t *rows_of;   /* each experiment */
    uint64_t *abandoned_of;
    int32_t most_processors; /* of a machine or team that measured */
    uint64_t reports;        /* of the whole run that there had been when the file was made */
    cll_trace_body body;
    const cll_backend *backend; /* NULL: that in use */
} cll_spill_file;

/* The file that is being filled; makes one if there is none. NULL where that is impossible, after a message. */
cll_spill_file *cll_spill_open(int has_summaries);

/* A file apart from those, for lines behind the rows, of which it has none: the program is known as this unit of this kind. */
cll_spill_file *cll_spill_open_lines(const cll_unit *unit, const cll_backend *backend);
int cll_spill_append_lines(cll_spill_file *spill, const char *lines, size_t count);
void cll_spill_remove(cll_spill_file *spill);
void cll_spill_release(cll_spill_file *spill); /* the file stays */

/* Appends a block, of which the writer knows the rows. Returns 0 where that is impossible, after a message. */
int cll_spill_append(cll_spill_file *spill, const cll_block_writer *block, const unsigned char *bytes, size_t count);

/* Has the file hold these summaries instead of what it held. Returns 0 where that is impossible, after a message. */
int cll_spill_replace(cll_spill_file *spill, const cll_summaries *summaries);

/* Takes all files away from the process, for a report, and gives them back if it failed. */
cll_spill_file *cll_spill_take(void);
void cll_spill_give_back(cll_spill_file *first);

/* Leaves the rows of the reported experiments out of the files; files without others are removed, the rest given back. */
void cll_spill_forget(cll_spill_file *first, const cll_layout *reported);

/* A report of the whole run is about to take the files: returns its number, which the files made from now on have, too. */
uint64_t cll_spill_count_report(void);

/* Rows of these experiments in the files. */
uint64_t cll_spill_rows(int (*is_counted)(const char *name));
int cll_spill_has_rows(void); /* of any experiment */

/* The program ends: tells of the files with missed experiments, and removes the others. */
void cll_spill_end(int (*is_missed)(const char *name));

/* The files are another process's from now on. */
void cll_spill_leave(void);

/* The process is a run of its own, without reports. */
void cll_spill_start_anew(void);

/* Reads the blocks of the files one after another. Start with a zeroed one but for `at`. */
typedef struct {
    const cll_spill_file *at;
    int file; /* plus 1; 0: none is open */
    uint64_t offset;
    unsigned char *bytes;
    size_t capacity_bytes;
} cll_spill_walk;

/* The next block, whose layout is that of walk->at; 0 at the end of this file. */
size_t cll_spill_next(cll_spill_walk *walk);
void cll_spill_walk_release(cll_spill_walk *walk);

#endif
