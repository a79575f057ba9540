/* mpi_signals.c: the handler, which only leaves marks, and a thread that saves what was recorded and ends the program by the same signal. */
#include "mpi_signals.h"

#include "../base/thread.h"

/* Simulated processors are of one process. */
#if defined(CLL_SMPI) || !defined(__linux__)
void cll_events_watch_signals(size_t (*describe)(char *text, size_t capacity))
{
    (void)describe;
}
#else
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../bsp/call_sites.h"
#include "../saving/saving.h"
#include "event_blocks.h"
#include "event_closing.h"
#include "event_saving.h"

static const struct {
    int number;
    const char *name;
} ending_signals[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}};

enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

/* The thread that records may be about to end a change, or another one a report; they are not waited for longer. */
enum { LOOKS_FOR_CHANGE = 5000, BETWEEN_LOOKS_NS = 100000 };

/* Most libraries wait with all of the processor's time, and Open MPI's mpirun kills all processes when the first of them has ended. */
enum { LENT_TO_SAVING_MS = 10, LEFT_TO_OTHERS_MS = 200 };

static sem_t signal_has_come;
static pid_t watched_process = 0;
static pthread_t recording_thread;
static cll_event_stream *watched_stream = NULL;
static size_t (*describe_waiting)(char *text, size_t capacity) = NULL;

/* A further signal of this kind ends the program at once, and so does this one a forked process, which has no thread that saves. */
static void on_signal(int number)
{
    int reason = errno;
    if (getpid() != watched_process) {
        raise(number);
    } else {
        __atomic_store_n(&cll_event_ending_signal, number, __ATOMIC_SEQ_CST);
        if (pthread_equal(pthread_self(), recording_thread) && !cll_event_is_changing) {
            __atomic_store_n(&cll_events_are_closed, 1, __ATOMIC_SEQ_CST);
        }
        sem_post(&signal_has_come);
        poll(NULL, 0, LENT_TO_SAVING_MS);
    }
    errno = reason;
}

/* Whether nobody changes or reads what was recorded, from now on. */
static int is_left_alone(void)
{
    static const struct timespec moment = {0, BETWEEN_LOOKS_NS};
    for (int look = 0; look < LOOKS_FOR_CHANGE; look++) {
        if (__atomic_load_n(&cll_events_are_closed, __ATOMIC_SEQ_CST) && !cll_events_are_read()) {
            return 1;
        }
        nanosleep(&moment, NULL);
    }
    return 0;
}

static const char *name_of_signal(int number)
{
    int at = 0;
    while (at < ENDING_SIGNALS - 1 && ending_signals[at].number != number) {
        at++;
    }
    return ending_signals[at].name;
}

/* The signal is a call, in which the one ends that is open. */
static void save_all(int number)
{
    char lines[2048];
    cll_own_events = watched_stream;
    cll_call_sites_make_room();
    uint32_t site = cll_call_site_nowhere(name_of_signal(number));
    cll_event_finish(cll_event_natural(cll_event_start(CLL_EVENT_ENTER, cll_clock_end()), site));
    cll_events_save(watched_stream);
    cll_events_save_lines(watched_stream, lines, describe_waiting(lines, sizeof lines));
}

static void *await_signal(void *nothing)
{
    (void)nothing;
    while (sem_wait(&signal_has_come) != 0 && errno == EINTR) {
    }
    int number = __atomic_load_n(&cll_event_ending_signal, __ATOMIC_SEQ_CST);
    if (is_left_alone() && cll_events_have_unsaved(watched_stream)) {
        save_all(number);
        poll(NULL, 0, LEFT_TO_OTHERS_MS);
    }
    cll_end_by_signal(number);
}

static int start_thread(void)
{
    pthread_t made;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(&made, NULL, await_signal, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status == 0 && pthread_detach(made) == 0;
}

/* What the program does about a signal stays, and so does that it is ignored. */
static void handle(int number)
{
    struct sigaction its;
    if (sigaction(number, NULL, &its) == 0 && its.sa_handler == SIG_DFL) {
        memset(&its, 0, sizeof its);
        its.sa_handler = on_signal;
        its.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
        sigemptyset(&its.sa_mask);
        sigaction(number, &its, NULL);
    }
}

void cll_events_watch_signals(size_t (*describe)(char *text, size_t capacity))
{
    if (cll_own_events == NULL || !cll_saving_is_on() || sem_init(&signal_has_come, 0, 0) != 0) {
        return;
    }
    watched_process = getpid();
    recording_thread = pthread_self();
    watched_stream = cll_own_events;
    describe_waiting = describe;
    if (start_thread()) {
        for (int at = 0; at < ENDING_SIGNALS; at++) {
            handle(ending_signals[at].number);
        }
    }
}
#endif
