/* call.h: what an instrumented C program sees of the CALL runtime.
 *
 * `call prog.c` writes prog.call.c, whose calls to these functions stand where the directives stood, and prog.call.h, whose
 * tables they refer to. Nothing here includes another header, so the feature macros of the program keep their effect.
 * With CLL_DISABLE defined all calls vanish.
 */
#ifndef CLL_CALL_H
#define CLL_CALL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Kind of the program, from its `parallel` directive. */
typedef enum { CLL_SEQUENTIAL, CLL_PUB } cll_kind;

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

/* First and last line of one block of an experiment in the source file. */
typedef struct {
    int first_line;
    int last_line;
} cll_block;

typedef struct {
    const char *name;
    const char *formula; /* canonical form, or NULL */
    int variable_count;
    const cll_variable *variables; /* or NULL */
    int block_count;
    const cll_block *blocks;
} cll_experiment;

typedef struct {
    const char *name;   /* of the trace files: NAME.call.K.dat */
    const char *source; /* file that was translated */
    cll_kind kind;
    int experiment_count;
    const cll_experiment *const *experiments;
} cll_program;

#ifdef CLL_DISABLE

#define cll_begin(...) ((void)0)
#define cll_end(...) ((void)0)
#define cll_sync(...) ((void)0)
#define cll_report(...) ((void)0)

#else

/* Opens a measurement; `values` holds one value for each variable of the experiment (NULL if it has none). The clock is read last. */
void cll_begin(const cll_experiment *experiment, const cll_value *values);

/* Closes the innermost open measurement of the experiment. The clock is read first. */
void cll_end(const cll_experiment *experiment);

/* Waits until every processor of the machine is here; `machine` is the kind's own object, NULL stands for the machine in use. */
void cll_sync(const cll_program *program, const void *machine);

/* Collective: gathers all measurements to processor 0 of the machine, which writes the trace. `names`: experiments to report,
 * blank between, NULL for all. Reported measurements are forgotten. Failure to write is told on stderr and the program ends with
 * status 2 when it ends. */
void cll_report(const cll_program *program, const void *machine, const char *names);

#endif

#ifdef __cplusplus
}
#endif

#endif
