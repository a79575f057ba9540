/* supervisor.h: the processors of the embedded transport as processes, and the process that watches over them. */
#ifndef CLL_BSP_SUPERVISOR_H
#define CLL_BSP_SUPERVISOR_H

/* What the supervisor asks about the processors. */
typedef struct {
    int (*has_finished)(int processor); /* come through the end of the BSP library? Asked once of each that has ended. */
    int (*may_speak)(void);             /* nobody has told a reason yet, nor is about to; the caller is from now on */
    int (*speaker)(void);               /* the processor that does */
} cll_supervised;

/* Forks the processors and returns in each of them with its number. The calling process does not return: it waits for them, ends
 * all of them when one of them fails, and exits with the status of the run. With more than these at most others may come later.
 * The names of the library's calls for start and end are for messages. */
int cll_supervisor_fork(int processors, int most_processors, const cll_supervised *supervised, const char *start_call, const char *end_call);

/* Called by processor 0 while there is no other: forks these and returns in each processor with its number. */
int cll_supervisor_fork_others(int processors, const char *call);

#endif
