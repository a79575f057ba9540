/* file.h: files that are seen under their name only when they have a whole header, whenever the run is killed. */
#ifndef CLL_FILE_H
#define CLL_FILE_H

#include <stddef.h>

/* Creates PATH.new where neither that nor PATH exists; -1 with errno otherwise. */
int cll_file_create(const char *path);

/* Gives the new file its name; -1 with errno if there is another one by now, and then the new one is gone. */
int cll_file_publish(const char *path);

/* Removes the new file, under whichever name it is. */
void cll_file_discard(const char *path);

/* Writes all bytes; 0 with errno if that fails. A file beyond the limit of the shell is an error like any other, not the end of the
 * process. */
int cll_file_write(int file, const void *bytes, size_t count);

#endif
