/* call.h: what an instrumented C program sees of the CALL runtime.
 *
 * `call prog.c` writes prog.call.c, whose calls to these functions stand where the directives stood, and prog.call.h, whose
 * tables they refer to. Several translated files make one program, whose reports cover the experiments of all of them.
 * Nothing here includes a header of the system, so the feature macros of the program keep their effect.
 * With CLL_DISABLE defined all calls vanish.
 */
#ifndef CLL_CALL_H
#define CLL_CALL_H

/* What these macros become is not the user's: compilers warn of nothing in it. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "call_compiler.h"

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
    const char *source_counts;   /* how often its statements run, as FORMAT.md has it; NULL: not known */
} cll_experiment;

/* One translated file. */
typedef struct {
    const char *name;   /* of the trace files: NAME.call.K.dat */
    const char *source; /* file that was translated */
    cll_kind kind;
    int experiment_count;
    const cll_experiment *const *experiments;
    int supersteps; /* is each superstep to be recorded? */
    const char *compiler; /* that compiled the file, with its version; NULL: as the runtime's */
    const char *flags;    /* likewise */
    const char *batch;    /* what `call` reads from the compiled program to write its batch script */
    int events; /* are the calls of MPI, or what threads of OpenMP do together, to be recorded? */
} cll_unit;

/* A unit in the list of all; static, it is used until the program ends. */
typedef struct cll_registration {
    const cll_unit *unit;
    struct cll_registration *next;
} cll_registration;

/* `CLL_REGISTER(unit);` once in a file makes its unit known before main. Without constructors it becomes known at its first use,
 * sync or report. */
#if defined(__GNUC__) && !defined(CLL_DISABLE)
#define CLL_REGISTER(its_unit) CLL_REGISTER_AS(here, its_unit)
/* Reports of coverage leave the function out: the header that it stands in is gone when they are made. */
#define CLL_REGISTER_AS(its_name, its_unit)                                                                                \
    static cll_registration cll_registration_of_##its_name = {&(its_unit), 0};                                             \
    __attribute__((constructor)) __attribute__((no_profile_instrument_function)) static void cll_register_##its_name(void) \
    {                                                                                                                      \
        cll_register(&cll_registration_of_##its_name);                                                                     \
    }                                                                                                                      \
    struct cll_registration
#else
#define CLL_REGISTER(its_unit) struct cll_registration
#define CLL_REGISTER_AS(its_name, its_unit) struct cll_needs_the_attribute_constructor_of_gnu_c not_supported
#endif

/* What ends a measurement however its block is left: a variable that the following macros declare. */
typedef struct {
    const cll_experiment *experiment; /* NULL: the measurement has ended */
} cll_guard;

/* Where a budget keeps measuring short (CALL_BUDGET): the executions of an experiment that are passed over. Each thread has its own, which
 * only the runtime fills. */
typedef struct {
    const cll_experiment *experiment;
    unsigned left;       /* so many more are */
    unsigned passed;     /* so many were to be */
    unsigned block;      /* the last one that was not stands for so many */
    unsigned chosen;     /* its number among them */
    unsigned long marks; /* of the executions under way, the innermost in the lowest bit: 1 if it is passed over */
    unsigned deeper;     /* executions under way that have no mark, as all are in use */
} cll_gate;

/* `CLL_END_WHEN_LEFT(experiment);` declares that the measurement of the experiment, begun next, ends when the block around is left. */
#if defined(__GNUC__) && !defined(CLL_DISABLE)
#define CLL_END_WHEN_LEFT(its_experiment) \
    const cll_guard cll_guard_of_##its_experiment __attribute__((cleanup(cll_leave), unused)) = {&(its_experiment)}
#elif defined(CLL_DISABLE) && defined(__cplusplus)
#define CLL_END_WHEN_LEFT(its_experiment) ((void)0)
#elif defined(CLL_DISABLE)
#define CLL_END_WHEN_LEFT(its_experiment) struct cll_registration /* a declaration, for C89 */
#else
#define CLL_END_WHEN_LEFT(its_experiment) struct cll_needs_the_attribute_cleanup_of_gnu_c not_supported
#endif

/* What directives become: macros, so that it belongs to this header. CLL_VALUES and CLL_COMMUNICATOR are arrays. */
#ifdef __GNUC__
#define CLL_EXTENSION __extension__
#else
#define CLL_EXTENSION
#endif
#if defined(__GNUC__) && !defined(CLL_DISABLE) /* the function around a stand-in */
#define CLL_UNUSED __attribute__((unused))
#endif
#ifdef __clang__ /* static variables in inline functions, under -pedantic */
#define CLL_QUIET(expression)                                                                                                               \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wstatic-in-inline\"")(expression) _Pragma("clang diagnostic pop")
#else
#define CLL_QUIET(expression) (expression)
#endif
/* `CLL_GATED(experiment)` behind a table defines its gate, `CLL_UNIT_KNOWN` behind that of the file what CLL_UNIT is. Variables of the thread, as
 * regions of OpenMP with default(none) name no others; in shared objects they cost more than they save. What stands in the program is no
 * function, since reports of coverage would have its lines. A name that is handed on would be replaced where it is a macro of the program, so
 * each macro pastes it. */
#if defined(CLL_DISABLE)
#define CLL_OPEN(its_name, its_values) ((void)0)
#define CLL_CLOSE(its_name) ((void)0)
#define CLL_CLOSE_WITH(its_name, its_values) ((void)0)
#define CLL_OPEN_GUARDED(its_name, its_values) 0
#elif defined(__GNUC__) && defined(__ELF__) && (!defined(__PIC__) || defined(__PIE__) || (defined(__clang__) && defined(_OPENMP)))
#define CLL_GATED(its_name) static __thread cll_gate cll_gate_of_##its_name = {&cll_experiment_##its_name, 0, 0, 0, 0, 0, 0};
#define CLL_UNIT_KNOWN static __thread const cll_unit *cll_unit_of_thread = &cll_unit_here;
#define CLL_UNIT CLL_QUIET(cll_unit_of_thread)
/* The highest mark must not get lost. */
#define CLL_OPEN(its_name, its_values) \
    CLL_QUIET((long)cll_gate_of_##its_name.marks >= 0 && cll_gate_of_##its_name.left > 0 \
                  ? (void)(cll_gate_of_##its_name.left--, cll_gate_of_##its_name.marks = cll_gate_of_##its_name.marks << 1 | 1) \
                  : cll_begin_marked(&cll_gate_of_##its_name, its_values))
#define CLL_CLOSE(its_name) CLL_CLOSE_AT(cll_gate_of_##its_name, 0)
#define CLL_CLOSE_WITH(its_name, its_values) CLL_CLOSE_AT(cll_gate_of_##its_name, its_values)
#define CLL_CLOSE_AT(its_gate, its_values) \
    CLL_QUIET(its_gate.deeper == 0 && (its_gate.marks & 1) != 0 ? (void)(its_gate.marks >>= 1) : cll_end_marked(&its_gate, its_values))
/* For CLL_GUARDING: whether a measurement was begun. */
#define CLL_OPEN_GUARDED(its_name, its_values) \
    CLL_QUIET(cll_gate_of_##its_name.left > 0 ? (cll_gate_of_##its_name.left--, 0) : cll_begin_at_gate(&cll_gate_of_##its_name, its_values))
#define CLL_GUARDED(its_gate, its_table) CLL_QUIET(its_gate.experiment)
#else
#define CLL_GATED(its_name)
#define CLL_UNIT_KNOWN
#if !defined(__GNUC__) || defined(__clang__)
#define CLL_ADDRESS(its_type, its_table) CLL_QUIET(&its_table)
#else /* a region of OpenMP does not name it so */
#define CLL_ADDRESS(its_type, its_table) (__extension__({ static const its_type *cll_its = &its_table; cll_its; }))
#endif
#define CLL_UNIT CLL_ADDRESS(cll_unit, cll_unit_here)
#define CLL_OPEN(its_name, its_values) cll_begin(CLL_ADDRESS(cll_experiment, cll_experiment_##its_name), its_values)
#define CLL_CLOSE(its_name) cll_end(CLL_ADDRESS(cll_experiment, cll_experiment_##its_name))
#define CLL_CLOSE_WITH(its_name, its_values) cll_end_with(CLL_ADDRESS(cll_experiment, cll_experiment_##its_name), its_values)
#define CLL_OPEN_GUARDED(its_name, its_values) (cll_begin(CLL_ADDRESS(cll_experiment, cll_experiment_##its_name), its_values), 1)
#define CLL_GUARDED(its_gate, its_table) CLL_ADDRESS(cll_experiment, its_table)
#endif
#define CLL_VALUES(...) (CLL_EXTENSION(const cll_value[]){__VA_ARGS__})
#define CLL_INTEGER_VALUE(value) {.integer = CLL_EXTENSION(long long)(value)}
#define CLL_NATURAL_VALUE(value) {.natural = CLL_EXTENSION(unsigned long long)(value)}
#define CLL_DOUBLE_VALUE(value) {.real = (double)(value)}
#define CLL_LATER_VALUE {0}
#define CLL_COMMUNICATOR(communicator) (CLL_EXTENSION(const MPI_Comm[]){communicator})

/* `CLL_DECLARING(number, CLL_OPEN(…));` does it where declarations follow, of which C90 wants no statement before.
 * `CLL_GUARDING(experiment, CLL_OPEN_GUARDED(…));` at the start of a block: the measurement ends when the block is left, or before that with
 * CLL_CLOSE_GUARDED, which ends the guard as well. */
#ifdef CLL_DISABLE
#define CLL_DECLARING(its_number, action) struct cll_registration
#define CLL_GUARDING(its_name, action) struct cll_registration
#define CLL_CLOSE_GUARDED(its_name) ((void)0)
#elif defined(__GNUC__)
#define CLL_DECLARING(its_number, action) \
    __extension__ const char cll_declared_##its_number __attribute__((unused)) = ((action), (char)0)
#define CLL_GUARDING(its_name, action)                                                          \
    __extension__ cll_guard cll_guard_of_##its_name __attribute__((cleanup(cll_leave_measured), unused)) \
        = {(action) ? CLL_GUARDED(cll_gate_of_##its_name, cll_experiment_##its_name) : 0}
#define CLL_CLOSE_GUARDED(its_name) (cll_leave_measured(&cll_guard_of_##its_name), cll_guard_of_##its_name.experiment = 0)
#else
#define CLL_DECLARING(its_number, action) const char cll_declared_##its_number = ((action), (char)0)
#define CLL_GUARDING(its_name, action) struct cll_needs_the_attribute_cleanup_of_gnu_c not_supported
#define CLL_CLOSE_GUARDED(its_name) cll_end(&cll_experiment_##its_name)
#endif

#ifdef CLL_DISABLE

#define cll_begin(...) ((void)0)
#define cll_begin_reals(...) ((void)0)
#define cll_end(...) ((void)0)
#define cll_end_with(...) ((void)0)
#define cll_abandon(...) ((void)0)
#define cll_use(...) ((void)0)
#define cll_use_team(...) ((void)0)
#define cll_sync(...) ((void)0)
#define cll_report(...) ((void)0)
#define cll_compare_clocks() ((void)0)

#else

/* Called by CLL_REGISTER. Units that contradict each other end the program with status 2. */
void cll_register(cll_registration *registration);

/* Opens a measurement; `values` holds one value for each variable of the experiment (NULL if it has none), of which those that are
 * taken at the end are not read. The clock is read last. */
void cll_begin(const cll_experiment *experiment, const cll_value *values);

/* The same at a gate that is open; returns whether a measurement was begun: otherwise it has no end. */
int cll_begin_at_gate(cll_gate *gate, const cll_value *values);

/* The same, with a mark for the end. */
void cll_begin_marked(cll_gate *gate, const cll_value *values);

/* The same with a real number for each variable, at most CLL_MOST_BY_HAND of them; for experiments written by hand. */
void cll_begin_reals(const cll_experiment *experiment, const double *values);

/* Closes the innermost open measurement of the experiment in this thread. The clock is read first. */
void cll_end(const cll_experiment *experiment);

/* The same of one that cll_begin_at_gate has begun. */
void cll_end_measured(const cll_experiment *experiment);

/* The same of one that cll_begin_marked has begun; `end_values`: as for cll_end_with, NULL if there are none. */
void cll_end_marked(cll_gate *gate, const cll_value *end_values);

/* The same for an experiment with variables that are taken at the end: one value for each of them. */
void cll_end_with(const cll_experiment *experiment, const cll_value *end_values);

/* Ends it without a row, which is counted as abandoned: the work between was not done, so its time would say something else. */
void cll_abandon(const cll_experiment *experiment);

/* What the guards arrange to be called. */
void cll_leave(const cll_guard *guard);

#ifdef __GNUC__
/* Here, so that what was not measured costs no call. */
__attribute__((always_inline, unused)) static __inline__ void cll_leave_measured(const cll_guard *guard)
{
    if (guard->experiment != 0) {
        cll_end_measured(guard->experiment);
    }
}
#endif

/* The following measurements are of this machine: it gives them P. `machine` is the kind's own object, NULL stands for the machine
 * in use. PUB: address of a t_bsp; the innermost open machine gives P anyway. MPI: address of an MPI_Comm, NULL for MPI_COMM_WORLD.
 * OpenMP: NULL, for the team; not needed, as each begin asks for it. */
void cll_use(const cll_unit *unit, const void *machine);

/* In an OpenMP program the next measurement of this thread is of the parallel regions in its block, also inside of another region. Where the
 * runtime cannot see which team runs them, that has so many threads; 0: as many as a region without clauses. In other programs nothing. */
void cll_use_team(int threads);

/* Waits until every processor of the machine is here, and uses it. */
void cll_sync(const cll_unit *unit, const void *machine);

/* Collective: gathers the measurements of all threads to processor 0 of the machine, which writes the trace. `names`: experiments to
 * report, blank between, NULL for all. Reported measurements are forgotten. Failure to write is told on stderr and the program ends
 * with status 2 when it ends. */
void cll_report(const cll_unit *unit, const void *machine, const char *names);

/* The same with the place of the call, for messages; `file`: NULL for the source of the unit, as gcc 12 does not survive __FILE__ where
 * the name of a file has a line end. */
void cll_use_at(const cll_unit *unit, const void *machine, const char *file, int line);
void cll_sync_at(const cll_unit *unit, const void *machine, const char *file, int line);
void cll_report_at(const cll_unit *unit, const void *machine, const char *names, const char *file, int line);

#ifndef CLL_RUNTIME
#define cll_use(its_unit, its_machine) cll_use_at(its_unit, its_machine, 0, __LINE__)
#define cll_sync(its_unit, its_machine) cll_sync_at(its_unit, its_machine, 0, __LINE__)
#define cll_report(its_unit, its_machine, its_names) cll_report_at(its_unit, its_machine, its_names, 0, __LINE__)
#endif

/* In MPI programs that record events, all processes together: compares the clocks of their computers once more than at start and end, for runs so
 * long that clocks do not drift evenly. In other programs nothing. */
void cll_compare_clocks(void);

/* For languages that cannot make the tables above, as call.F90: they are made, and registered, while the program runs. The same again
 * gives the same table, which stays until the program ends; texts are copied. Names are as those of variables in C; anything else ends
 * the program with status 2. */

/* `file`, `compiler` and `flags`: as in cll_unit. */
const cll_unit *cll_declare_program(const char *name, cll_kind kind, const char *file, const char *compiler, const char *flags);

/* `formula`: NULL if there is none. `variables`: at most CLL_MOST_BY_HAND names, blanks between; all are reals. `line`: of the
 * experiment in `file` (NULL: that of the program); 0: not known. */
const cll_experiment *cll_declare_experiment(const cll_unit *program, const char *name, const char *formula, const char *variables,
                                             const char *file, int line);

#endif

#ifdef __cplusplus
}
#endif

/* By hand, where no translator goes: programs in C++, or in C that is not translated (docs/by-hand.md).
 *
 *     CLL_PROGRAM("sum", CLL_SEQUENTIAL);                            at file scope, in each file that synchronises or reports
 *     CLL_EXPERIMENT(adds, "adds[0] + adds[1]*n", "n");              at file scope; the formula may be 0
 *
 *     CLL_SYNC();                                                    if all processors are to begin together
 *     CLL_USE_ON(&communicator); CLL_SYNC_ON(&communicator);         MPI: what follows is of that communicator, which gives P
 *     CLL_BEGIN(adds, n); ... CLL_END(adds);                         a value for each variable, taken as a double
 *     CLL_REPORT();                                                  on all processors: sum.call.K.dat
 *
 * In OpenMP's parallel regions each thread calls CLL_USE() or CLL_SYNC() before it begins. These macros take C11 or C++11. */
#define CLL_MOST_BY_HAND 8

#ifdef CLL_DISABLE

#define CLL_PROGRAM(its_name, its_kind) struct cll_registration
#define CLL_EXPERIMENT(...) struct cll_registration
#define CLL_BEGIN(...) ((void)0)
#define CLL_END(its_experiment) ((void)0)
#define CLL_USE() ((void)0)
#define CLL_SYNC() ((void)0)
#define CLL_USE_ON(its_machine) ((void)0)
#define CLL_SYNC_ON(its_machine) ((void)0)
#define CLL_REPORT() ((void)0)

#else

#define CLL_PROGRAM(its_name, its_kind)                                               \
    static const cll_unit cll_program_here = {its_name, __FILE__, its_kind, 0, 0, 0, CLL_COMPILER, CLL_COMPILER_FLAGS, 0, 0}; \
    CLL_REGISTER_AS(program_here, cll_program_here)

/* The formula stands before the first variable, so that the list is never empty. */
#define CLL_EXPERIMENT(its_name, ...)                                                                               \
    static const cll_variable cll_variables_##its_name[] = {CLL_EACH(CLL_REAL_VARIABLE, __VA_ARGS__)};              \
    static const cll_block cll_blocks_##its_name[] = {{0, __LINE__, __LINE__}};                                     \
    static const cll_experiment cll_experiment_##its_name = {#its_name,                                             \
                                                             CLL_FIRST(__VA_ARGS__, 0),                             \
                                                             CLL_AS(int, CLL_LENGTH(cll_variables_##its_name)) - 1, \
                                                             cll_variables_##its_name + 1,                          \
                                                             0,                                                     \
                                                             1,                                                     \
                                                             cll_blocks_##its_name,                                 \
                                                             0,                                                     \
                                                             0,                                                     \
                                                             0,                                                     \
                                                             0};                                                    \
    static const cll_experiment *const cll_list_of_##its_name[] = {&cll_experiment_##its_name};                     \
    static const cll_unit cll_unit_of_##its_name = {#its_name, __FILE__, CLL_UNSAID, 1, cll_list_of_##its_name, 0, CLL_COMPILER, CLL_COMPILER_FLAGS, 0, 0}; \
    CLL_REGISTER_AS(its_name, cll_unit_of_##its_name)

#define CLL_BEGIN(...)                                                                                                    \
    CLL_PICK(__VA_ARGS__, CLL_BEGIN_WITH, CLL_BEGIN_WITH, CLL_BEGIN_WITH, CLL_BEGIN_WITH, CLL_BEGIN_WITH, CLL_BEGIN_WITH, \
             CLL_BEGIN_WITH, CLL_BEGIN_WITH, CLL_BEGIN_ALONE, 0)(__VA_ARGS__)

#define CLL_BEGIN_ALONE(its_name)                                                                \
    do {                                                                                         \
        CLL_ASSERT(CLL_LENGTH(cll_variables_##its_name) == 1, #its_name ": values are missing"); \
        cll_begin_reals(&cll_experiment_##its_name, 0);                                          \
    } while (0)

#define CLL_BEGIN_WITH(its_name, ...)                                                  \
    do {                                                                               \
        const double cll_values[] = {CLL_EACH(CLL_REAL_VALUE, __VA_ARGS__)};           \
        CLL_ASSERT(CLL_LENGTH(cll_variables_##its_name) - 1 == CLL_LENGTH(cll_values), \
                   #its_name ": as many values as variables");                         \
        cll_begin_reals(&cll_experiment_##its_name, cll_values);                       \
    } while (0)

#define CLL_END(its_name) cll_end(&cll_experiment_##its_name)
#define CLL_USE() cll_use(&cll_program_here, 0)
#define CLL_SYNC() cll_sync(&cll_program_here, 0)
#define CLL_USE_ON(its_machine) cll_use(&cll_program_here, its_machine)
#define CLL_SYNC_ON(its_machine) cll_sync(&cll_program_here, its_machine)
#define CLL_REPORT() cll_report(&cll_program_here, 0, 0)

#ifdef __cplusplus
#define CLL_ASSERT(condition, text) static_assert(condition, text)
#define CLL_AS(type, value) static_cast<type>(value)
#else
#define CLL_ASSERT(condition, text) _Static_assert(condition, text)
#define CLL_AS(type, value) (type)(value)
#endif

#define CLL_LENGTH(array) (sizeof(array) / sizeof *(array))
#define CLL_REAL_VARIABLE(its_name) {its_name, CLL_REAL}
#define CLL_REAL_VALUE(value) CLL_AS(double, value)
#define CLL_FIRST(first, ...) first
#define CLL_PICK(a, b, c, d, e, f, g, h, i, picked, ...) picked

/* The macro of each argument, commas between: up to the formula and CLL_MOST_BY_HAND variables. */
#define CLL_EACH(macro, ...)                                                                                              \
    CLL_PICK(__VA_ARGS__, CLL_EACH_9, CLL_EACH_8, CLL_EACH_7, CLL_EACH_6, CLL_EACH_5, CLL_EACH_4, CLL_EACH_3, CLL_EACH_2, \
             CLL_EACH_1, 0)(macro, __VA_ARGS__)
#define CLL_EACH_1(macro, a) macro(a)
#define CLL_EACH_2(macro, a, ...) macro(a), CLL_EACH_1(macro, __VA_ARGS__)
#define CLL_EACH_3(macro, a, ...) macro(a), CLL_EACH_2(macro, __VA_ARGS__)
#define CLL_EACH_4(macro, a, ...) macro(a), CLL_EACH_3(macro, __VA_ARGS__)
#define CLL_EACH_5(macro, a, ...) macro(a), CLL_EACH_4(macro, __VA_ARGS__)
#define CLL_EACH_6(macro, a, ...) macro(a), CLL_EACH_5(macro, __VA_ARGS__)
#define CLL_EACH_7(macro, a, ...) macro(a), CLL_EACH_6(macro, __VA_ARGS__)
#define CLL_EACH_8(macro, a, ...) macro(a), CLL_EACH_7(macro, __VA_ARGS__)
#define CLL_EACH_9(macro, a, ...) macro(a), CLL_EACH_8(macro, __VA_ARGS__)

#endif

#endif
