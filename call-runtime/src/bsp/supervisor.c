/* supervisor.c: no processor outlives another one that failed, and none outlives the supervisor. All of them are its children: those
 * that processor 0 forks later become that when the process between them ends. */
#include "supervisor.h"

#include <errno.h>
#include <signal.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
/* Who tells the reason has longer, on a busy computer. */
#define SPEAKING_STEPS 2000
static const struct timespec grace_step = {0, 5000000};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define ENDING_SIGNALS (sizeof ending_signals / sizeof *ending_signals)

/* What the supervisor and the processors see. */
typedef struct {
    volatile sig_atomic_t ended_by_signal;
    volatile sig_atomic_t is_ending; /* who is forked now has nothing to do any more */
    pid_t supervisor;
    int child_count; /* there may be so many */
    volatile pid_t children[]; /* of each processor; 0: there is none, or it has ended */
} family;

static family *all = NULL;
static const char *end_of_library = "";

static void signal_all(int signal_number)
{
    for (int processor = 0; processor < all->child_count; processor++) {
        if (all->children[processor] > 0) {
            kill(all->children[processor], signal_number);
        }
    }
}

static void end_all(void)
{
    all->is_ending = 1;
    signal_all(SIGKILL);
}

/* What comes from the terminal has reached the children as well; what another process sent has not. The second time is final. */
static void on_ending_signal(int signal_number, siginfo_t *details, void *context)
{
    int saved = errno;
    (void)context;
    int is_second = all->ended_by_signal != 0;
    all->ended_by_signal = signal_number;
    if (is_second) {
        end_all();
    } else if (details->si_code <= 0) {
        signal_all(signal_number);
    }
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
    for (int processor = 0; processor < all->child_count; processor++) {
        if (all->children[processor] == child) {
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

static int is_any_left(void)
{
    int processor = 0;
    while (processor < all->child_count && all->children[processor] == 0) {
        processor++;
    }
    return processor < all->child_count;
}

/* Steps that are left. */
typedef struct {
    int for_all;
    int for_speaker;
} grace_left;

/* A step later: once the grace is over all end, but as long as one that tells the reason has not come to its end. */
static void pass_grace(grace_left *grace, const cll_supervised *supervised)
{
    nanosleep(&grace_step, NULL);
    if (grace->for_all > 1) {
        grace->for_all--;
        return;
    }
    int speaker = supervised->speaker();
    if (grace->for_speaker > 0 && speaker >= 0 && all->children[speaker] > 0) {
        grace->for_speaker--;
        return;
    }
    grace->for_all = 0;
    end_all();
}

/* Waits for one of the processors; -1 when there are none left. With grace given it ends all when the grace is over. What a program
 * started and left behind is not waited for. */
static int wait_for_one(int *how, grace_left *grace, const cll_supervised *supervised)
{
    while (is_any_left()) {
        pid_t child = waitpid(-1, how, grace->for_all > 0 ? WNOHANG : 0);
        if (child < 0 && errno != EINTR) {
            return -1;
        }
        if (child == 0) {
            pass_grace(grace, supervised);
        }
        int processor = child <= 0 ? -1 : processor_of(child);
        if (processor >= 0) {
            all->children[processor] = 0;
            return processor;
        }
    }
    return -1;
}

CLL_NEVER_RETURNS static void supervise(const cll_supervised *supervised)
{
    int run_status = 0;
    int lowest_failed = all->child_count;
    int is_ending = 0;
    grace_left grace = {0, SPEAKING_STEPS};
    int how;
    int processor;
    while ((processor = wait_for_one(&how, &grace, supervised)) >= 0) {
        int is_finished = supervised->has_finished(processor);
        int has_failed = !WIFEXITED(how) || WEXITSTATUS(how) != 0 || !is_finished;
        if (is_ending || all->ended_by_signal || !has_failed) {
            continue;
        }
        int speaks = (!is_finished || WIFSIGNALED(how)) && supervised->may_speak();
        if (speaks) {
            grace.for_speaker = 0;
            tell_how(processor, how, is_finished);
        }
        if (processor < lowest_failed) {
            lowest_failed = processor;
            run_status = status_of(how);
        }
        if (!is_finished) {
            is_ending = 1;
            run_status = run_status == 0 ? CLL_FAILURE_STATUS : run_status;
            /* Who speaks instead has to come to its end. */
            if ((WIFEXITED(how) && WEXITSTATUS(how) != 0) || !speaks) {
                grace.for_all = GRACE_STEPS;
            } else {
                end_all();
            }
        }
    }
    if (all->ended_by_signal) {
        cll_end_by_signal(all->ended_by_signal);
    }
    _exit(run_status);
}

static void end_with_supervisor(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != all->supervisor) {
        _exit(CLL_FAILURE_STATUS); /* it ended before */
    }
}

static void make_family(int processors, const char *call)
{
    size_t size_bytes = sizeof *all + (size_t)processors * sizeof *all->children;
    void *mapped = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        cll_fail("%s: no memory", call);
    }
    all = mapped;
    all->supervisor = getpid();
    all->child_count = processors;
}

/* The statuses of children must not be ignored meanwhile. */
static void take_statuses(struct sigaction *before)
{
    struct sigaction default_action;
    memset(&default_action, 0, sizeof default_action);
    default_action.sa_handler = SIG_DFL;
    sigemptyset(&default_action.sa_mask);
    sigaction(SIGCHLD, &default_action, before);
}

int cll_supervisor_fork(int processors, int most_processors, const cll_supervised *supervised, const char *start_call, const char *end_call)
{
    struct sigaction child_action;
    sigset_t blocked;
    sigset_t before;
    end_of_library = end_call;
    make_family(most_processors, start_call);
#ifdef __linux__
    if (most_processors > processors && prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
        cll_fail("%s: this system does not let processors be forked later: %s", start_call, strerror(errno));
    }
#endif
    fflush(NULL);
    /* A signal during the forks must not miss some of the children. */
    sigemptyset(&blocked);
    for (size_t index = 0; index < ENDING_SIGNALS; index++) {
        sigaddset(&blocked, ending_signals[index]);
    }
    sigprocmask(SIG_BLOCK, &blocked, &before);
    take_statuses(&child_action);
    for (int processor = 0; processor < processors; processor++) {
        pid_t child = fork();
        if (child == 0) {
            end_with_supervisor();
            sigaction(SIGCHLD, &child_action, NULL);
            sigprocmask(SIG_SETMASK, &before, NULL);
            return processor;
        }
        if (child < 0) {
            int reason = errno;
            signal_all(SIGKILL);
            cll_fail("%s: cannot start processor %d of %d: %s", start_call, processor, processors, strerror(reason));
        }
        all->children[processor] = child;
    }
    watch_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    supervise(supervised);
}

/* In a new processor: waits until it is a child of the supervisor. Either that finds it among its children or it finds the end itself. */
static void join_family(int processor, pid_t forker)
{
    __atomic_store_n(&all->children[processor], getpid(), __ATOMIC_SEQ_CST);
    while (getppid() == forker) {
        sched_yield();
    }
    end_with_supervisor();
    if (all->is_ending || all->ended_by_signal) {
        _exit(CLL_FAILURE_STATUS);
    }
}

/* In the process between processor 0 and the new ones: returns in these, with their numbers. */
static int fork_others(int processors, const char *call)
{
    pid_t own = getpid();
    for (int processor = 1; processor < processors; processor++) {
        pid_t child = fork();
        if (child == 0) {
            join_family(processor, own);
            return processor;
        }
        if (child < 0) {
            int reason = errno;
            all->is_ending = 1;
            cll_fail("%s: cannot start processor %d of %d: %s", call, processor, processors, strerror(reason));
        }
        all->children[processor] = child;
    }
    _exit(0);
}

int cll_supervisor_fork_others(int processors, const char *call)
{
    struct sigaction before;
    int how = 0;
    fflush(NULL);
    take_statuses(&before);
    pid_t forker = fork();
    if (forker == 0) {
        int processor = fork_others(processors, call);
        sigaction(SIGCHLD, &before, NULL);
        return processor;
    }
    if (forker < 0) {
        cll_fail("%s: cannot start processor 1 of %d: %s", call, processors, strerror(errno));
    }
    while (waitpid(forker, &how, 0) < 0 && errno == EINTR) {
    }
    sigaction(SIGCHLD, &before, NULL);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) {
        cll_fail("%s: what starts %d processors was ended", call, processors);
    }
    return 0;
}
