/* kept.h: files of measurements that have not been reported: traces with a binary body and without an end. All functions but the reading
 * ones are called with the recorders locked. */
#ifndef CLL_KEPT_H
#define CLL_KEPT_H

#include "block.h"
#include "summaries.h"

/* One file of this process. */
typedef struct cll_kept {
    struct cll_kept *next;
    char *path;      /* absolute, as the program may change its directory */
    cll_layout layout; /* of all experiments that were known when the file was made */
    uint64_t header_bytes;
    uint64_t size_bytes; /* of what is whole */
    uint64_t *rows_of;   /* each experiment */
    uint64_t *abandoned_of;
    int32_t most_processors; /* of a machine or team that measured */
} cll_kept;

/* The file that is being filled; makes one if there is none. NULL where that is impossible, after a message. */
cll_kept *cll_kept_open(int has_summaries);

/* Appends a block, of which the writer knows the rows. Returns 0 where that is impossible, after a message. */
int cll_kept_append(cll_kept *kept, const cll_block_writer *block, const unsigned char *bytes, size_t count);

/* Has the file hold these summaries instead of what it held. Returns 0 where that is impossible, after a message. */
int cll_kept_replace(cll_kept *kept, const cll_summaries *summaries);

/* Takes all files away from the process, for a report, and gives them back if it failed. */
cll_kept *cll_kept_take(void);
void cll_kept_give_back(cll_kept *first);

/* Leaves the rows of the reported experiments out of the files; files without others are removed, the rest given back. */
void cll_kept_forget(cll_kept *first, const cll_layout *reported);

/* The program ends: tells of the files with missed experiments, and removes the others. */
void cll_kept_end(int (*is_missed)(const char *name));

/* The files are another process's from now on. */
void cll_kept_leave(void);

/* Reads the blocks of the files one after another. Start with a zeroed one but for `at`. */
typedef struct {
    const cll_kept *at;
    int file; /* plus 1; 0: none is open */
    uint64_t offset;
    unsigned char *bytes;
    size_t capacity_bytes;
} cll_kept_walk;

/* The next block, whose layout is that of walk->at; 0 at the end of this file. */
size_t cll_kept_next(cll_kept_walk *walk);
void cll_kept_walk_release(cll_kept_walk *walk);

#endif
