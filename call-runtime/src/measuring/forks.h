/* forks.h: what was measured before a fork belongs to one process; the other one begins with nothing but what is open in its thread. */
#ifndef CLL_FORKS_H
#define CLL_FORKS_H

/* From now on a process that the program forks is a run of its own. The recorders are locked. */
void cll_watch_forks(void);

/* The next forks make the processors of this run: each of them calls cll_record_forked itself. Not expected any more: this process has
 * forked others, so its pages are copies on write, too. */
void cll_expect_processors_to_fork(int are_expected);

/* Called in a new process: its pages are copies on write now, which must not be paid for in a measurement. `keep`: what was measured
 * before is its. */
void cll_record_forked(int keep);

#endif
