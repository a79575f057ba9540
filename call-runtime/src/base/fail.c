/* fail.c: the one line that is said when a run cannot go on, and the exit status. */
#include "fail.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "thread.h"

int (*cll_may_speak)(void) = NULL;
void (*cll_end_run)(void) = NULL;
void (*cll_failing_position)(char *text, size_t capacity) = NULL;

static int ends_in_failure = 0;

/* How many bytes terminals obey there, or turn the direction of writing: controls, those of C1 and the marks of Unicode as UTF-8 has them. */
static int obeyed(const unsigned char *at)
{
    if (at[0] < 0x20 || at[0] == 0x7f) {
        return at[0] != '\0' && at[0] != '\n' && at[0] != '\t';
    }
    if ((at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f) || (at[0] == 0xd8 && at[1] == 0x9c)) {
        return 2;
    }
    int is_mark = at[0] == 0xe2 && ((at[1] == 0x80 && ((at[2] & 0xfe) == 0x8e || (at[2] >= 0xaa && at[2] <= 0xae))) ||
                                    (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
    return is_mark ? 3 : 0;
}

/* Names in a message may be anything. */
static void make_printable(char *text)
{
    char *to = text;
    while (*text != '\0') {
        int count = obeyed((const unsigned char *)text);
        *to++ = count == 0 ? *text : ' ';
        text += count == 0 ? 1 : count;
    }
    *to = '\0';
}

/* One write, so that lines of several processors are never mixed. */
CLL_LIKE_PRINTF(2, 0) static void say(const char *position, const char *format, va_list arguments)
{
    static const char prefix[] = "call: ";
    char line[2048];
    size_t length = sizeof prefix - 1;
    size_t written = 0;
    memcpy(line, prefix, length);
    int wanted = vsnprintf(line + length, sizeof line - length - 1, format, arguments);
    if (wanted > 0) {
        size_t end = strlen(line);
        snprintf(line + end, sizeof line - end - 1, "%s", position);
        make_printable(line + length);
        length += strlen(line + length);
    }
    line[length++] = '\n';
    while (written < length) {
        ssize_t count = write(STDERR_FILENO, line + written, length - written);
        if (count > 0) {
            written += (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            return;
        }
    }
}

void cll_tell(const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
}

static int has_failed = 0;

int cll_has_failed(void)
{
    return __atomic_load_n(&has_failed, __ATOMIC_ACQUIRE);
}

/* Several threads may find the same. One of them says it; the others wait for the end. */
static void leave_it_to_the_first(void)
{
    if (__atomic_exchange_n(&has_failed, 1, __ATOMIC_ACQ_REL)) {
        for (;;) {
            pause();
        }
    }
}

CLL_NEVER_RETURNS static void end_run(void)
{
    if (cll_end_run != NULL) {
        cll_end_run();
    }
    _exit(CLL_FAILURE_STATUS);
}

#ifdef CLL_TRANSPORT_MPI
/* Of a duplicate of MPI_COMM_WORLD MPICH waits for ever if the others are in MPI_Finalize. */
void cll_mpi_end_all(void)
{
#ifdef CLL_SMPI
    _exit(CLL_FAILURE_STATUS); /* all processors are in one process, and MPI_Abort would leave the status 0 */
#else
#ifdef MPICH_VERSION
    /* Its mpirun may end before it has passed on what the process said last. */
    struct timespec pause = {0, 50000000};
    nanosleep(&pause, NULL);
#endif
    PMPI_Abort(MPI_COMM_WORLD, CLL_FAILURE_STATUS);
#endif
}
#endif

void cll_fail(const char *format, ...)
{
    leave_it_to_the_first();
    fflush(NULL);
    if (cll_may_speak == NULL || cll_may_speak()) {
        va_list arguments;
        char position[1100] = "";
        if (cll_failing_position != NULL) {
            cll_failing_position(position, sizeof position);
        }
        va_start(arguments, format);
        say(position, format, arguments);
        va_end(arguments);
    }
    end_run();
}

void cll_fail_as_told(const char *format, va_list arguments)
{
    size_t length = strlen(format);
    leave_it_to_the_first();
    fflush(NULL);
    if (cll_may_speak == NULL || cll_may_speak()) {
        vfprintf(stderr, format, arguments);
        if (length == 0 || format[length - 1] != '\n') {
            fputc('\n', stderr);
        }
        fflush(stderr);
    }
    end_run();
}

void *cll_allocate(size_t count, size_t size_bytes, const char *purpose)
{
    void *made = calloc(count == 0 ? 1 : count, size_bytes == 0 ? 1 : size_bytes);
    if (made == NULL) {
        cll_fail("no memory for %s", purpose);
    }
    return made;
}

void *cll_reallocate(void *before, size_t count, size_t size_bytes, const char *purpose)
{
    void *larger = count > SIZE_MAX / size_bytes ? NULL : realloc(before, count * size_bytes);
    if (larger == NULL) {
        cll_fail("no memory for %s", purpose);
    }
    return larger;
}

/* As a destructor it runs after everything that the program left to atexit, and after those of the rest of the runtime; elsewhere it has
 * to be one of the functions left to atexit. */
#if defined(__GNUC__)
__attribute__((destructor(101)))
#endif
static void end_of_program(void)
{
    if (ends_in_failure) {
        fflush(NULL);
        _exit(CLL_FAILURE_STATUS);
    }
}

void cll_end_by_signal(int number)
{
    sigset_t its;
    signal(number, SIG_DFL);
    sigemptyset(&its);
    sigaddset(&its, number);
    pthread_sigmask(SIG_UNBLOCK, &its, NULL);
    raise(number);
    _exit(128 + number);
}

void cll_fail_at_end(void)
{
#if !defined(__GNUC__)
    if (!ends_in_failure) {
        atexit(end_of_program);
    }
#endif
    ends_in_failure = 1;
}

static int (*watched_has_finished)(void) = NULL;
static const char *watched_end = "";

/* A status that tells a failure stays as it is. */
static void check_watched_end(int status)
{
    if (!watched_has_finished()) {
        cll_tell("processor 0 ended with status %d before %s", status, watched_end);
        if (status == 0) {
            cll_fail_at_end();
        }
    }
}

#if defined(__GLIBC__)
static void on_end(int status, void *nothing)
{
    (void)nothing;
    check_watched_end(status);
}
#else
static void on_end(void)
{
    check_watched_end(0);
}
#endif

void cll_watch_end(int (*has_finished)(void), const char *end_call)
{
    watched_has_finished = has_finished;
    watched_end = end_call;
#if defined(__GLIBC__)
    on_exit(on_end, NULL);
#else
    atexit(on_end); /* nobody tells the status */
#endif
}
