/* checking.c: stands in for the CALL runtime (LD_PRELOAD) and checks what it is called with, in constant memory.
 *
 * Each end must close a measurement that is open in its thread. Open ones inside of it count as abandoned: a longjmp leaves them,
 * a return must not. At the end one line goes to the file that CORPUS_CHECK names:
 *
 *     begins ends without-begin abandoned open-at-exit first-fault
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEEPEST = 1 << 16 };

typedef struct {
    const char *name; /* every table of an experiment begins with it */
} experiment;

typedef struct {
    long depth;
    const experiment *open[DEEPEST];
} nest;

static __thread nest *here;
static unsigned long long begins, ends, without_begin, abandoned;
static const char *first_fault = "-", *first_abandoned = "-";
static long open_here(void) { return here == NULL ? 0 : here->depth; }

#define ADD(counter, count) __atomic_fetch_add(&(counter), (count), __ATOMIC_RELAXED)

void cll_begin(const experiment *begun, const void *values)
{
    (void)values;
    ADD(begins, 1);
    if (here == NULL) {
        here = calloc(1, sizeof *here);
        if (here == NULL) {
            abort();
        }
    }
    if (here->depth < DEEPEST) {
        here->open[here->depth] = begun;
    }
    here->depth++;
}

/* A gate begins with its experiment, and stays open. */
int cll_begin_at_gate(const experiment *const *gate, const void *values)
{
    cll_begin(*gate, values);
    return 1;
}

void cll_begin_marked(const experiment *const *gate, const void *values) { cll_begin(*gate, values); }

void cll_begin_reals(const experiment *begun, const double *values) { cll_begin(begun, values); }

void cll_end(const experiment *ended)
{
    ADD(ends, 1);
    long at = open_here();
    if (at > DEEPEST) { /* too deep to remember */
        here->depth--;
        return;
    }
    while (at > 0 && here->open[at - 1] != ended) {
        at--;
    }
    if (at == 0) {
        ADD(without_begin, 1);
        first_fault = ended->name;
        return;
    }
    if (here->depth != at) {
        first_abandoned = here->open[here->depth - 1]->name;
    }
    ADD(abandoned, (unsigned long long)(here->depth - at));
    here->depth = at - 1;
}

void cll_end_with(const experiment *ended, const void *values)
{
    (void)values;
    cll_end(ended);
}

void cll_end_measured(const experiment *ended) { cll_end(ended); }

void cll_end_marked(const experiment *const *gate, const void *values)
{
    (void)values;
    cll_end(*gate);
}

/* By programs of C++ and Fortran, of which there are none here. */
void cll_abandon(const experiment *ended) { cll_end(ended); }

void cll_leave(const experiment *const *guard)
{
    if (*guard != NULL) {
        cll_end(*guard);
    }
}

void cll_register(void *registration) { (void)registration; }
void cll_use(const void *unit, const void *machine) { (void)unit; (void)machine; }
void cll_use_team(int threads) { (void)threads; }
void cll_sync(const void *unit, const void *machine) { (void)unit; (void)machine; }
void cll_report(const void *unit, const void *machine, const char *names) { (void)unit; (void)machine; (void)names; }
void cll_use_at(const void *unit, const void *machine, const char *file, int line)
{
    (void)unit; (void)machine; (void)file; (void)line;
}
void cll_sync_at(const void *unit, const void *machine, const char *file, int line)
{
    (void)unit; (void)machine; (void)file; (void)line;
}
void cll_report_at(const void *unit, const void *machine, const char *names, const char *file, int line)
{
    (void)unit; (void)machine; (void)names; (void)file; (void)line;
}
void cll_compare_clocks(void) {}

static void forget(void)
{
    begins = ends = without_begin = abandoned = 0;
}

__attribute__((constructor)) static void start(void) { pthread_atfork(NULL, NULL, forget); }

__attribute__((destructor)) static void tell(void)
{
    const char *name = getenv("CORPUS_CHECK");
    int file = name == NULL || begins == 0 ? -1 : open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        return;
    }
    char line[512];
    int length = snprintf(line, sizeof line, "%llu %llu %llu %llu %ld %.150s %.150s\n", begins, ends, without_begin, abandoned,
                          open_here(), first_fault, first_abandoned);
    if (write(file, line, (size_t)length) != length) {
        _exit(3);
    }
    close(file);
}
