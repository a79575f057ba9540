/* call.h: what an instrumented C program sees of the CALL runtime.
 *
 * `call prog.c` writes prog.call.c, whose calls to these functions stand where the directives stood, and prog.call.h, whose
 * tables they refer to. Several translated files make one program, whose reports cover the experiments of all of them.
 * Nothing here includes another header, so the feature macros of the program keep their effect.
 * With CLL_DISABLE defined all calls vanish.
 */
#ifndef CLL_CALL_H
#define CLL_CALL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Kind of the program, from its `parallel` directive. CLL_UNSAID: the file has none; the program is then of the kind that another
 * file says, else sequential. */
typedef enum { CLL_UNSAID, CLL_SEQUENTIAL, CLL_PUB, CLL_BSPLIB, CLL_MPI, CLL_OPENMP } cll_kind;

/* How a variable is kept: integers without loss, everything else as a double. */
typedef enum { CLL_INTEGER, CLL_NATURAL, CLL_REAL } cll_representation;

typedef union {
    long long integer;
    unsigned long long natural;
    double real;
} cll_value;

typedef struct {
    const char *name;
    cll_representation representation;
} cll_variable;

/* First and last line of one block of an experiment. */
typedef struct {
    const char *file; /* NULL: the source of the unit */
    int first_line;
    int last_line;
} cll_block;

typedef struct {
    const char *name;
    const char *formula; /* canonical form, or NULL */
    int variable_count;
    const cll_variable *variables; /* or NULL */
    int end_variable_count; /* so many of them, the last ones, are taken at the end instead of the begin */
    int block_count;
    const cll_block *blocks;
    int counter_count;
    const char *const *counters; /* names of PAPI or perf, or NULL */
    const char *observable;      /* the one of them that the formula is of; NULL: the time */
} cll_experiment;

/* One translated file. */
typedef struct {
    const char *name;   /* of the trace files: NAME.call.K.dat */
    const char *source; /* file that was translated */
    cll_kind kind;
    int experiment_count;
    const cll_experiment *const *experiments;
    int supersteps; /* is each superstep to be recorded? */
} cll_unit;

/* A unit in the list of all; static, it is used until the program ends. */
typedef struct cll_registration {
    const cll_unit *unit;
    struct cll_registration *next;
} cll_registration;

/* `CLL_REGISTER(unit);` once in a file makes its unit known before main. Without constructors it becomes known at its first use,
 * sync or report. */
#if defined(__GNUC__) && !defined(CLL_DISABLE)
#define CLL_REGISTER(its_unit)                                        \
    static cll_registration cll_registration_here = {&(its_unit), 0}; \
    __attribute__((constructor)) static void cll_register_here(void)  \
    {                                                                 \
        cll_register(&cll_registration_here);                         \
    }                                                                 \
    struct cll_registration
#else
#define CLL_REGISTER(its_unit) struct cll_registration
#endif

/* What ends a measurement however its block is left; the type of a variable that CLL_END_WHEN_LEFT declares. */
typedef struct {
    const cll_experiment *experiment;
} cll_guard;

/* `CLL_END_WHEN_LEFT(experiment);` declares that the measurement of the experiment, begun next, ends when the block around is left. */
#if defined(__GNUC__) && !defined(CLL_DISABLE)
#define CLL_END_WHEN_LEFT(its_experiment) \
    const cll_guard cll_guard_of_##its_experiment __attribute__((cleanup(cll_leave), unused)) = {&(its_experiment)}
#elif defined(CLL_DISABLE)
#define CLL_END_WHEN_LEFT(its_experiment) struct cll_registration
#else
#define CLL_END_WHEN_LEFT(its_experiment) struct cll_needs_the_attribute_cleanup_of_gnu_c not_supported
#endif

#ifdef CLL_DISABLE

#define cll_begin(...) ((void)0)
#define cll_end(...) ((void)0)
#define cll_end_with(...) ((void)0)
#define cll_use(...) ((void)0)
#define cll_sync(...) ((void)0)
#define cll_report(...) ((void)0)

#else

/* Called by CLL_REGISTER. Units that contradict each other end the program with status 2. */
void cll_register(cll_registration *registration);

/* Opens a measurement; `values` holds one value for each variable of the experiment (NULL if it has none), of which those that are
 * taken at the end are not read. The clock is read last. */
void cll_begin(const cll_experiment *experiment, const cll_value *values);

/* Closes the innermost open measurement of the experiment in this thread. The clock is read first. */
void cll_end(const cll_experiment *experiment);

/* The same for an experiment with variables that are taken at the end: one value for each of them. */
void cll_end_with(const cll_experiment *experiment, const cll_value *end_values);

/* What CLL_END_WHEN_LEFT arranges to be called. */
void cll_leave(const cll_guard *guard);

/* The following measurements are of this machine: it gives them P. `machine` is the kind's own object, NULL stands for the machine
 * in use. PUB: address of a t_bsp; the innermost open machine gives P anyway. MPI: address of an MPI_Comm, NULL for MPI_COMM_WORLD.
 * OpenMP: NULL, for the team; called by each thread before each begin. */
void cll_use(const cll_unit *unit, const void *machine);

/* Waits until every processor of the machine is here, and uses it. */
void cll_sync(const cll_unit *unit, const void *machine);

/* Collective: gathers the measurements of all threads to processor 0 of the machine, which writes the trace. `names`: experiments to
 * report, blank between, NULL for all. Reported measurements are forgotten. Failure to write is told on stderr and the program ends
 * with status 2 when it ends. */
void cll_report(const cll_unit *unit, const void *machine, const char *names);

#endif

#ifdef __cplusplus
}
#endif

#endif
