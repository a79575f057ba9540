/* openmp_threads.h: the threads of OpenMP as processors: what each of them does in the parallel regions that the main thread begins. A thread is
 * known by its number in the team; thread 0 is the main one. */
#ifndef CLL_EVENTS_OPENMP_THREADS_H
#define CLL_EVENTS_OPENMP_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "../base/clock.h"
#include "event_blocks.h"

enum { CLL_MOST_OPENMP_THREADS = 1024, CLL_KNOWN_OPENMP_CALLS = 16, CLL_MOST_TASK_WAITS = 256 };

/* A call of which this thread knows the number of its call site. */
typedef struct {
    const char *call;
    const void *caller;
    uint32_t region;
    uint32_t site;
} cll_known_openmp_call;

/* A task waits for others, which may be done meanwhile. */
typedef struct {
    const void *task; /* known since another one was done */
    uint32_t site;
} cll_openmp_task_wait;

typedef struct {
    cll_event_stream stream;
    const void *owner; /* a place that only the thread of the system has that is this one now; NULL: nobody is, as it waits for a region */
    int team;          /* how many they are; 0: it is in no team */
    uint32_t communicator;
    int is_open;           /* a call is */
    int unanalysed;        /* how many calls are open of which nobody knows who waits for whom */
    int task_waits;        /* each in a task that is done in the one before */
    int unseen_task_waits; /* inside of these */
    int is_joining;        /* it has come to the end of the region */
    const void *waits_in;  /* the task that has come to a barrier */
    uint32_t barrier_site; /* of that */
    unsigned barriers;     /* of this region that are behind it */
    uint64_t idle_since_ticks;
    uint64_t asked_ticks; /* for a lock */
    const void *inner_caller;
    long open_experiments;
    cll_known_openmp_call known[CLL_KNOWN_OPENMP_CALLS];
    cll_known_openmp_call known_experiments[CLL_KNOWN_OPENMP_CALLS];
    cll_openmp_task_wait task_wait[CLL_MOST_TASK_WAITS];
} cll_openmp_thread;

/* The region that is open, or was. */
typedef struct {
    uint64_t number; /* 0: none yet */
    const void *caller;
    uint32_t site;
    uint64_t fork_ticks;
    uint64_t fork_ns;      /* by the counting clock, as is the next */
    uint64_t latest_ns[2]; /* when the last thread came to a barrier, of every other one */
} cll_openmp_region;

extern cll_openmp_region cll_openmp_now;

/* Starts to record: the main thread is thread 0. The times count from this moment. */
void cll_openmp_start(uint64_t origin_ticks);
int cll_openmp_has_started(void);

/* This thread, if it is in a team, or the main one; else NULL. */
cll_openmp_thread *cll_openmp_own(void);
int cll_openmp_is_main(const cll_openmp_thread *thread);

/* The main thread begins a region, at the call that returns there, of a function with this frame (NULL: not known). It ends when all members have been let go. */
void cll_openmp_fork(const void *caller, const void *frame);
void cll_openmp_forked(void);

/* This thread of the system is a member of the team of the region. */
void cll_openmp_join_team(unsigned number, unsigned size);

/* Comes to a barrier of the team in this task, or to the end of the region; goes on behind it. */
void cll_openmp_arrive(cll_openmp_thread *own, const char *call, const void *caller, const void *task, int is_end);
void cll_openmp_go_on(cll_openmp_thread *own);

/* In a barrier another task is done, and the wait goes on. */
void cll_openmp_turn_to_task(cll_openmp_thread *own);
void cll_openmp_turn_to_barrier(cll_openmp_thread *own);

/* Around what nobody knows of who waits for whom in it; what is inside of that is not recorded. */
void cll_openmp_begin_unanalysed(cll_openmp_thread *own, const char *call, const void *caller);
void cll_openmp_end_unanalysed(cll_openmp_thread *own);

/* Around a wait for tasks, of which nobody knows who waits for whom. */
void cll_openmp_begin_task_wait(cll_openmp_thread *own, const char *call, const void *caller);
void cll_openmp_end_task_wait(cll_openmp_thread *own);

/* One task goes on in the place of another one. Returns whether a wait for tasks is the innermost one. */
int cll_openmp_turn_in_task_wait(cll_openmp_thread *own, const void *before, const void *next);

/* A lock was waited for since then; if that took a microsecond. */
void cll_openmp_locked(cll_openmp_thread *own, const char *call, const void *caller);

#endif
