/* fail.h: how a run that cannot go on ends. */
#ifndef CLL_FAIL_H
#define CLL_FAIL_H

#include <stdarg.h>
#include <stddef.h>

#if defined(__GNUC__)
#define CLL_LIKE_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define CLL_NEVER_RETURNS __attribute__((noreturn))
#else
#define CLL_LIKE_PRINTF(at, first)
#define CLL_NEVER_RETURNS
#endif

#define CLL_FAILURE_STATUS 2

/* Says in one line on stderr what is wrong, and ends the whole run with status 2. */
CLL_NEVER_RETURNS CLL_LIKE_PRINTF(1, 2) void cll_fail(const char *format, ...);

/* The same with the program's own words, as they are. */
CLL_NEVER_RETURNS CLL_LIKE_PRINTF(1, 0) void cll_fail_as_told(const char *format, va_list arguments);

/* The same kind of line for an event after which the run goes on. */
CLL_LIKE_PRINTF(1, 2) void cll_tell(const char *format, ...);

/* Zeroed memory; without any the run ends with `no memory for PURPOSE`. */
void *cll_allocate(size_t count, size_t size_bytes, const char *purpose);

/* The same with what was there before; what is new is not zeroed. */
void *cll_reallocate(void *before, size_t count, size_t size_bytes, const char *purpose);

/* Ends this process as a signal does that it leaves to the system, whatever it did about it so far. */
CLL_NEVER_RETURNS void cll_end_by_signal(int number);

/* Lets the program run to its end, but with status 2. */
void cll_fail_at_end(void);

/* Whether the run is being ended. MPI_Abort of MPICH calls what was left to atexit. */
int cll_has_failed(void);

/* For a processor that is alone, several being watched by the transport: an end before `end_call` is told and is a failure. */
void cll_watch_end(int (*has_finished)(void), const char *end_call);

/* A transport with several processors sets both: who may speak (one processor is enough), and what ends all the others. */
extern int (*cll_may_speak)(void);
extern void (*cll_end_run)(void);

/* Writes where in its source the program has called the library, for the end of the line that cll_fail says; NULL: nothing. */
extern void (*cll_failing_position)(char *text, size_t capacity);

#ifdef CLL_TRANSPORT_MPI
/* What ends all the others where they are processes of MPI. */
void cll_mpi_end_all(void);
#endif

#endif
