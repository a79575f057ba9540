/* event_closing.c: the marks, and where threads wait for the end. */
#include "event_closing.h"

#include <unistd.h>

volatile int cll_event_is_changing = 0;
int cll_event_ending_signal = 0;
int cll_events_are_closed = 0;

static int reading_threads = 0;

void cll_events_await_end(void)
{
    for (;;) {
        pause();
    }
}

void cll_events_stop(void)
{
    __atomic_store_n(&cll_events_are_closed, 1, __ATOMIC_SEQ_CST);
    cll_events_await_end();
}

void cll_events_begin_reading(void)
{
    __atomic_add_fetch(&reading_threads, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&cll_events_are_closed, __ATOMIC_SEQ_CST)) {
        __atomic_sub_fetch(&reading_threads, 1, __ATOMIC_SEQ_CST);
        cll_events_await_end();
    }
}

void cll_events_end_reading(void)
{
    __atomic_sub_fetch(&reading_threads, 1, __ATOMIC_SEQ_CST);
}

int cll_events_are_read(void)
{
    return __atomic_load_n(&reading_threads, __ATOMIC_SEQ_CST) > 0;
}
