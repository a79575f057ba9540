/* supervisor.c: no processor outlives another one that failed, and none outlives the supervisor. */
#include "supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "../base/fail.h"

/* A processor that ends with a status of its own may have found what the others are about to find, and to say, as well. */
#define GRACE_STEPS 50
static const struct timespec grace_step = {0, 5000000};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define ENDING_SIGNALS (sizeof ending_signals / sizeof *ending_signals)

static volatile pid_t *children = NULL; /* 0 when it has ended */
static int child_count = 0;
static const char *end_of_library = "";
static volatile sig_atomic_t ended_by_signal = 0;

static void signal_all(int signal_number)
{
    for (int processor = 0; processor < child_count; processor++) {
        if (children[processor] > 0) {
            kill(children[processor], signal_number);
        }
    }
}

/* What comes from the terminal has reached the children as well; what another process sent has not. The second time is final. */
static void on_ending_signal(int signal_number, siginfo_t *details, void *context)
{
    int saved = errno;
    (void)context;
    if (ended_by_signal) {
        signal_all(SIGKILL);
    } else if (details->si_code <= 0) {
        signal_all(signal_number);
    }
    ended_by_signal = signal_number;
    errno = saved;
}

static void watch_signals(void)
{
    for (size_t index = 0; index < ENDING_SIGNALS; index++) {
        struct sigaction before;
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = on_ending_signal;
        action.sa_flags = SA_SIGINFO;
        sigfillset(&action.sa_mask);
        if (sigaction(ending_signals[index], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(ending_signals[index], &action, NULL);
        }
    }
}

static int processor_of(pid_t child)
{
    for (int processor = 0; processor < child_count; processor++) {
        if (children[processor] == child) {
            return processor;
        }
    }
    return -1;
}

static int status_of(int how)
{
    return WIFEXITED(how) ? WEXITSTATUS(how) : CLL_FAILURE_STATUS;
}

static void tell_how(int processor, int how, int is_finished)
{
    const char *when = is_finished ? "" : " before ";
    const char *what = is_finished ? "" : end_of_library;
    if (WIFSIGNALED(how)) {
        cll_tell("processor %d was ended by signal %d (%s)", processor, WTERMSIG(how), strsignal(WTERMSIG(how)));
    } else {
        cll_tell("processor %d ended with status %d%s%s", processor, WEXITSTATUS(how), when, what);
    }
}

/* Waits for one of the processors; -1 when there are none left. With grace given it ends all when the grace is over. */
static int wait_for_one(int *how, int *grace)
{
    for (;;) {
        pid_t child = waitpid(-1, how, *grace > 0 ? WNOHANG : 0);
        if (child < 0 && errno != EINTR) {
            return -1;
        }
        if (child == 0) {
            nanosleep(&grace_step, NULL);
            if (--*grace == 0) {
                signal_all(SIGKILL);
            }
        }
        int processor = child <= 0 ? -1 : processor_of(child);
        if (processor >= 0) {
            children[processor] = 0;
            return processor;
        }
    }
}

CLL_NEVER_RETURNS static void end_as_signalled(void)
{
    int signal_number = ended_by_signal;
    sigset_t set;
    signal(signal_number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
    _exit(128 + signal_number);
}

CLL_NEVER_RETURNS static void supervise(int (*has_finished)(int), int (*may_speak)(void))
{
    int run_status = 0;
    int lowest_failed = child_count;
    int is_ending = 0;
    int grace = 0;
    int how;
    int processor;
    while ((processor = wait_for_one(&how, &grace)) >= 0) {
        int is_finished = has_finished(processor);
        int has_failed = !WIFEXITED(how) || WEXITSTATUS(how) != 0 || !is_finished;
        if (is_ending || ended_by_signal || !has_failed) {
            continue;
        }
        if ((!is_finished || WIFSIGNALED(how)) && may_speak()) {
            tell_how(processor, how, is_finished);
        }
        if (processor < lowest_failed) {
            lowest_failed = processor;
            run_status = status_of(how);
        }
        if (!is_finished) {
            is_ending = 1;
            run_status = run_status == 0 ? CLL_FAILURE_STATUS : run_status;
            if (WIFEXITED(how) && WEXITSTATUS(how) != 0) {
                grace = GRACE_STEPS;
            } else {
                signal_all(SIGKILL);
            }
        }
    }
    if (ended_by_signal) {
        end_as_signalled();
    }
    _exit(run_status);
}

static void end_with_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) {
        _exit(CLL_FAILURE_STATUS); /* it ended before */
    }
}

int cll_supervisor_fork(int processors, int (*has_finished)(int processor), int (*may_speak)(void), const char *start_call,
                        const char *end_call)
{
    struct sigaction child_action;
    struct sigaction default_action;
    sigset_t blocked;
    sigset_t before;
    pid_t parent = getpid();
    end_of_library = end_call;
    children = calloc((size_t)processors, sizeof *children);
    if (children == NULL) {
        cll_fail("%s: no memory", start_call);
    }
    fflush(NULL);
    /* A signal during the forks must not miss some of the children; and the statuses of children must not be ignored. */
    sigemptyset(&blocked);
    for (size_t index = 0; index < ENDING_SIGNALS; index++) {
        sigaddset(&blocked, ending_signals[index]);
    }
    sigprocmask(SIG_BLOCK, &blocked, &before);
    memset(&default_action, 0, sizeof default_action);
    default_action.sa_handler = SIG_DFL;
    sigemptyset(&default_action.sa_mask);
    sigaction(SIGCHLD, &default_action, &child_action);
    for (child_count = 0; child_count < processors; child_count++) {
        pid_t child = fork();
        if (child == 0) {
            int processor = child_count;
            end_with_parent(parent);
            sigaction(SIGCHLD, &child_action, NULL);
            sigprocmask(SIG_SETMASK, &before, NULL);
            free((void *)(uintptr_t)children);
            children = NULL;
            child_count = 0;
            return processor;
        }
        if (child < 0) {
            int reason = errno;
            signal_all(SIGKILL);
            cll_fail("%s: cannot start processor %d of %d: %s", start_call, child_count, processors, strerror(reason));
        }
        children[child_count] = child;
    }
    watch_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    supervise(has_finished, may_speak);
}
