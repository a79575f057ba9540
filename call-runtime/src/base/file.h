/* file.h: files that are made under another name first, so that under their own name nobody sees a part of what they must have. */
#ifndef CLL_FILE_H
#define CLL_FILE_H

#include <stddef.h>

/* Creates PATH.new where neither that nor PATH exists; -1 with errno otherwise. A symbolic link of that name exists, too. */
int cll_file_create(const char *path);

/* Gives the new file of PATH the name `as`; -1 with errno, EEXIST if there is another one by now, and then the new one stays. */
int cll_file_publish(const char *path, const char *as);

/* Creates PATH.new in order to replace PATH, in place of what an earlier attempt left; never goes through a link. -1 with errno. */
int cll_file_create_replacement(const char *path);

/* Puts the new file in the place of the old one; -1 with errno, and then the old one stays and the new one is gone. */
int cll_file_replace(const char *path);

/* Removes the new file. */
void cll_file_discard(const char *path);

/* Makes a folder and those above it, as far as they are missing; other processes may do the same. Where it is impossible no file can be made in
 * it, and that tells why. */
void cll_file_make_folders(const char *folder);

/* Writes all bytes; 0 with errno if that fails. A file beyond the limit of the shell is an error like any other, not the end of the
 * process. */
int cll_file_write(int file, const void *bytes, size_t count);

#endif
