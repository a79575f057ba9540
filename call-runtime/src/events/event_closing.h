/* event_closing.h: a signal ends the program, and what is recorded is saved before. Its handler may interrupt the thread that records anywhere, so
 * marks tell whether that thread was changing what it has recorded. */
#ifndef CLL_EVENT_CLOSING_H
#define CLL_EVENT_CLOSING_H

#include "../base/fail.h"

/* Of the thread that records: it is changing its events or definitions. Only its own handler looks. */
extern volatile int cll_event_is_changing;

/* A signal has come; its number, or 0. And whether nothing is recorded any more. */
extern int cll_event_ending_signal;
extern int cll_events_are_closed;

/* Until the program is ended. */
CLL_NEVER_RETURNS void cll_events_await_end(void);

/* The signal came within a change, which is over. */
CLL_NEVER_RETURNS void cll_events_stop(void);

static inline void cll_event_begin_change(void)
{
    cll_event_is_changing = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&cll_events_are_closed, __ATOMIC_RELAXED)) {
        cll_events_await_end();
    }
}

static inline void cll_event_end_change(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    cll_event_is_changing = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&cll_event_ending_signal, __ATOMIC_RELAXED) != 0) {
        cll_events_stop();
    }
}

/* A thread reads all that is recorded, for a report. The third function: whether one does. */
void cll_events_begin_reading(void);
void cll_events_end_reading(void);
int cll_events_are_read(void);

#endif
