/* read_positions.h: a process that was forked shares with its parent how far their open files have been read. */
#ifndef CLL_READ_POSITIONS_H
#define CLL_READ_POSITIONS_H

/* Called in the new process: gives it positions of its own, which are the same at first, in the files that are open for reading only.
 * Else the end of the new process, where the C library goes back to what the program has read, moves them for the parent. */
void cll_own_read_positions(void);

#endif
