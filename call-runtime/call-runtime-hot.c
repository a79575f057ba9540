/* call-runtime-hot.c: finds out where a program spends its time, without a change of it. `call propose --hot` compiles it to a shared
 * object, which a program loads before it starts (LD_PRELOAD).
 *
 *     cc -shared -fPIC -O2 <dir>/call-runtime-hot.c -o hot.so
 *     CALL_HOT=<dir>/samples LD_PRELOAD=./hot.so ./prog
 *
 * Each CALL_HOT_PERIOD_US microseconds that the process computes, the stack of the thread that computes is noted. The file CALL_HOT.<pid>
 * gets words of 8 bytes: for each sample the number of its addresses and the addresses, the innermost first. CALL_HOT.<pid>.objects has
 * text: `object BIAS FIRST END PATH` for each part of the program that is executed, then `cost SAMPLES NANOSECONDS LOST COMPUTED`, the last
 * one in nanoseconds, too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_FRAMES = 256,
    OWN_FRAMES = 2, /* the handler, and what the kernel returns to */
    DEFAULT_PERIOD_US = 1003, /* no multiple of what programs do at full milliseconds */
    LEAST_PERIOD_US = 100
};

static int output = -1;
static pid_t owner;
static char objects_path[4096];
static atomic_ullong samples, nanoseconds, lost;
static bool is_sampling;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void take_sample(int number)
{
    (void)number;
    int error = errno;
    uint64_t begin = now_ns();
    void *frames[MOST_FRAMES];
    uint64_t words[MOST_FRAMES + 1];
    int count = backtrace(frames, MOST_FRAMES) - OWN_FRAMES;
    /* A child that only forked shares the file, and is not the program that was asked about. */
    if (count > 0 && getpid() == owner) {
        words[0] = (uint64_t)count;
        for (int at = 0; at < count; at++) {
            words[at + 1] = (uint64_t)(uintptr_t)frames[at + OWN_FRAMES];
        }
        /* One call for each sample: appended as a whole, whichever threads do it at once. */
        size_t size = ((size_t)count + 1) * sizeof words[0];
        if (write(output, words, size) == (ssize_t)size) {
            atomic_fetch_add(&samples, 1);
        } else {
            atomic_fetch_add(&lost, 1);
        }
    }
    atomic_fetch_add(&nanoseconds, now_ns() - begin);
    errno = error;
}

static int write_object(struct dl_phdr_info *info, size_t size, void *stream)
{
    (void)size;
    char own[4096];
    const char *path = info->dlpi_name;
    if (path[0] == '\0') {
        ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
        own[length < 0 ? 0 : length] = '\0';
        path = own;
    }
    for (int at = 0; at < info->dlpi_phnum; at++) {
        const ElfW(Phdr) *its = &info->dlpi_phdr[at];
        if (its->p_type == PT_LOAD && (its->p_flags & PF_X) != 0) {
            unsigned long long first = (unsigned long long)(info->dlpi_addr + its->p_vaddr);
            fprintf(stream, "object %llx %llx %llx %s\n", (unsigned long long)info->dlpi_addr, first,
                    first + (unsigned long long)its->p_memsz, path);
        }
    }
    return 0;
}

static void write_objects(void)
{
    int file = open(objects_path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (stream != NULL) {
        dl_iterate_phdr(write_object, stream);
        struct timespec computed = {0, 0};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &computed);
        fprintf(stream, "cost %llu %llu %llu %llu\n", atomic_load(&samples), atomic_load(&nanoseconds), atomic_load(&lost),
                (unsigned long long)computed.tv_sec * 1000000000u + (unsigned long long)computed.tv_nsec);
        fclose(stream);
    }
}

/* The timer is the process's own, so that a program that it goes on in (exec) has none, and so is its signal: SIGPROF is that of gprof, and
 * launchers of MPI send it on to their processes. */
static timer_t timer;

static bool set_timer(int number, long period_us)
{
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = number;
    struct itimerspec interval = {{0, period_us * 1000}, {0, period_us * 1000}};
    return timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0 && timer_settime(timer, 0, &interval, NULL) == 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *base = getenv("CALL_HOT");
    if (base == NULL || base[0] == '\0') {
        return;
    }
    char path[4096];
    owner = getpid();
    if ((size_t)snprintf(path, sizeof path, "%s.%ld", base, (long)owner) >= sizeof path ||
        (size_t)snprintf(objects_path, sizeof objects_path, "%s.objects", path) >= sizeof objects_path) {
        return;
    }
    /* The same process goes on in another program (exec): what it did before is of no interest. */
    output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (output < 0) {
        return;
    }
    void *frames[MOST_FRAMES];
    /* The first time it loads a library. */
    (void)backtrace(frames, MOST_FRAMES);
    /* What is known now remains if the program is killed. */
    write_objects();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = take_sample;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    int number = SIGRTMAX - 1;
    if (sigaction(number, &action, NULL) != 0) {
        return;
    }
    const char *asked = getenv("CALL_HOT_PERIOD_US");
    long period_us = asked == NULL ? DEFAULT_PERIOD_US : strtol(asked, NULL, 10);
    if (period_us < LEAST_PERIOD_US || period_us >= 1000000) {
        period_us = DEFAULT_PERIOD_US;
    }
    is_sampling = set_timer(number, period_us);
}

__attribute__((destructor)) static void end(void)
{
    if (output < 0 || getpid() != owner) {
        return;
    }
    if (is_sampling) {
        timer_delete(timer);
    }
    write_objects();
}
