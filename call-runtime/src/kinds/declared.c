/* declared.c: units and experiments that a program makes while it runs, for languages that have no tables of C. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../include/call.h"
#include "../base/fail.h"

/* One that was declared, with what its tables point to. */
typedef struct declared {
    struct declared *next;
    const cll_unit *program; /* of an experiment */
    cll_registration registration;
    cll_unit unit;
    cll_experiment experiment;
    const cll_experiment *list[1];
    cll_block block;
    cll_variable variables[CLL_MOST_BY_HAND];
} declared;

static declared *first_declared = NULL;
static pthread_mutex_t declared_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *copy_of(const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    char *copy = cll_allocate(strlen(text) + 1, 1, "the name of an experiment");
    strcpy(copy, text);
    return copy;
}

static int are_same(const char *left, const char *right)
{
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

/* Names are words of rows and headers. */
static int is_name(const char *text, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return length > 0 && strspn(text, letters) >= length && (*text < '0' || *text > '9');
}

/* Fills the names; returns how many there are. */
static int take_variables(cll_variable *variables, const char *experiment, const char *names)
{
    int count = 0;
    for (const char *at = names + strspn(names, " "); *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (!is_name(at, length)) {
            cll_fail("experiment %s: `%.*s` is no name of a variable: use letters, digits and `_`", experiment, (int)length, at);
        }
        if (count == CLL_MOST_BY_HAND) {
            cll_fail("experiment %s: it has more than %d variables", experiment, CLL_MOST_BY_HAND);
        }
        char *name = cll_allocate(length + 1, 1, "the name of a variable");
        memcpy(name, at, length);
        for (int before = 0; before < count; before++) {
            if (strcmp(variables[before].name, name) == 0) {
                cll_fail("experiment %s: it has two variables `%s`", experiment, name);
            }
        }
        variables[count++] = (cll_variable){name, CLL_REAL};
        at += length;
    }
    return count;
}

static declared *find_declared(const declared *wanted)
{
    declared *its = first_declared;
    while (its != NULL && !(its->program == wanted->program && its->unit.kind == wanted->unit.kind &&
                            are_same(its->unit.name, wanted->unit.name) && are_same(its->unit.source, wanted->unit.source) &&
                            are_same(its->experiment.formula, wanted->experiment.formula) &&
                            its->block.first_line == wanted->block.first_line)) {
        its = its->next;
    }
    return its;
}

/* The one that was declared before, or a new one, which is to be filled and registered. The list is locked. */
static declared *find_or_make(const declared *wanted, int *is_new)
{
    declared *its = find_declared(wanted);
    *is_new = its == NULL;
    if (*is_new) {
        its = cll_allocate(1, sizeof *its, "an experiment");
        its->program = wanted->program;
        its->unit = wanted->unit;
        its->unit.name = copy_of(wanted->unit.name);
        its->unit.source = copy_of(wanted->unit.source);
        its->unit.compiler = copy_of(wanted->unit.compiler);
        its->unit.flags = copy_of(wanted->unit.flags);
        its->registration.unit = &its->unit;
        its->next = first_declared;
        first_declared = its;
    }
    return its;
}

const cll_unit *cll_declare_program(const char *name, cll_kind kind, const char *file, const char *compiler, const char *flags)
{
    if (name == NULL || *name == '\0') {
        cll_fail("the program has no name, after which its traces are called");
    }
    declared wanted = {
        .unit = {.name = name, .source = file == NULL ? "unknown" : file, .kind = kind, .compiler = compiler, .flags = flags}};
    int is_new;
    pthread_mutex_lock(&declared_lock);
    declared *its = find_or_make(&wanted, &is_new);
    if (is_new) {
        cll_register(&its->registration);
    }
    pthread_mutex_unlock(&declared_lock);
    return &its->unit;
}

static void fill_declared(declared *its, const char *formula, const char *variables, int line)
{
    its->experiment.name = its->unit.name;
    its->experiment.formula = copy_of(formula);
    its->experiment.variables = its->variables;
    its->experiment.variable_count = take_variables(its->variables, its->unit.name, variables);
    its->block.first_line = its->block.last_line = line;
    its->experiment.blocks = &its->block;
    its->experiment.block_count = line > 0;
    its->list[0] = &its->experiment;
    its->unit.experiments = its->list;
    its->unit.experiment_count = 1;
}

/* Whether it has just these variables. */
static int has_variables(const declared *its, const char *variables)
{
    const char *at = variables + strspn(variables, " ");
    for (int variable = 0; variable < its->experiment.variable_count; variable++) {
        size_t length = strlen(its->variables[variable].name);
        if (strncmp(at, its->variables[variable].name, length) != 0 || (at[length] != ' ' && at[length] != '\0')) {
            return 0;
        }
        at += length;
        at += strspn(at, " ");
    }
    return *at == '\0';
}

const cll_experiment *cll_declare_experiment(const cll_unit *program, const char *name, const char *formula, const char *variables,
                                             const char *file, int line)
{
    if (!is_name(name, strlen(name))) {
        cll_fail("`%s` is no name of an experiment: use letters, digits and `_`", name);
    }
    declared wanted = {.program = program,
                       .unit = {.name = name,
                                .source = file == NULL ? program->source : file,
                                .kind = CLL_UNSAID,
                                .compiler = program->compiler,
                                .flags = program->flags},
                       .experiment = {.formula = formula},
                       .block = {.first_line = line}};
    int is_new;
    pthread_mutex_lock(&declared_lock);
    declared *its = find_or_make(&wanted, &is_new);
    if (is_new) {
        fill_declared(its, formula, variables, line);
        cll_register(&its->registration);
    } else if (!has_variables(its, variables)) {
        cll_fail("experiment %s is declared again with the variables `%s`: give it another name", name, variables);
    }
    pthread_mutex_unlock(&declared_lock);
    return &its->experiment;
}
