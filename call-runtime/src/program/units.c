/* units.c: the list of the units, which must not contradict each other. */
#include "units.h"

#if defined(__GNUC__) && defined(__ELF__) && !defined(CLL_SMPI)
#include <dlfcn.h>
#endif
#ifdef __linux__
#include <sys/auxv.h>
#endif
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"

static cll_registration *first_unit = NULL; /* the list only grows, so reading needs no lock */
static pthread_mutex_t units_lock = PTHREAD_MUTEX_INITIALIZER;

static cll_registration *next_unit(cll_registration *const *link)
{
    return __atomic_load_n(link, __ATOMIC_ACQUIRE);
}

static void check_kinds(const cll_unit *left, const cll_unit *right)
{
    static const char *const names[] = {"unsaid", "sequential", "PUB", "BSPlib", "MPI", "OpenMP"};
    if (left->kind == CLL_UNSAID || right->kind == CLL_UNSAID || left->kind == right->kind) {
        return;
    }
    cll_fail("%s is of the kind %s, but %s of the kind %s: the files of a program must have the same `parallel` directive, or none",
             left->source, names[left->kind], right->source, names[right->kind]);
}

static int has_variable(const cll_experiment *experiment, const char *name)
{
    for (int variable = 0; variable < experiment->variable_count; variable++) {
        if (strcmp(experiment->variables[variable].name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

static int have_same_variables(const cll_experiment *left, const cll_experiment *right)
{
    for (int variable = 0; variable < left->variable_count; variable++) {
        if (!has_variable(right, left->variables[variable].name)) {
            return 0;
        }
    }
    return left->variable_count == right->variable_count;
}

static int has_counter(const cll_experiment *experiment, const char *name)
{
    for (int counter = 0; counter < experiment->counter_count; counter++) {
        if (strcmp(experiment->counters[counter], name) == 0) {
            return 1;
        }
    }
    return 0;
}

static int have_same_counters(const cll_experiment *left, const cll_experiment *right)
{
    for (int counter = 0; counter < left->counter_count; counter++) {
        if (!has_counter(right, left->counters[counter])) {
            return 0;
        }
    }
    return left->counter_count == right->counter_count;
}

/* Both would be columns of the trace. */
static void check_names(const cll_unit *left_unit, const cll_experiment *left, const cll_unit *right_unit, const cll_experiment *right)
{
    for (int counter = 0; counter < left->counter_count; counter++) {
        if (has_variable(right, left->counters[counter])) {
            cll_fail("`%s` is a counter of experiment %s in %s, and a variable of experiment %s in %s: give the variable another name",
                     left->counters[counter], left->name, left_unit->source, right->name, right_unit->source);
        }
    }
}

static const char *list_counters(const cll_experiment *experiment, char *text, size_t capacity)
{
    size_t length = 0;
    snprintf(text, capacity, "no counters");
    for (int counter = 0; counter < experiment->counter_count && length < capacity; counter++) {
        length += (size_t)snprintf(text + length, capacity - length, "%s`%s`", counter == 0 ? "the counters " : ", ",
                                   experiment->counters[counter]);
    }
    return text;
}

static const char *list_variables(const cll_experiment *experiment, char *text, size_t capacity)
{
    size_t length = 0;
    snprintf(text, capacity, "no variables");
    for (int variable = 0; variable < experiment->variable_count && length < capacity; variable++) {
        length += (size_t)snprintf(text + length, capacity - length, "%s`%s`", variable == 0 ? "the variables " : ", ",
                                   experiment->variables[variable].name);
    }
    return text;
}

static void check_experiments(const cll_unit *left_unit, const cll_experiment *left, const cll_unit *right_unit,
                              const cll_experiment *right)
{
    static const char cure[] = "write the same in both files, or give one of them another name";
    char left_names[400], right_names[400];
    check_names(left_unit, left, right_unit, right);
    check_names(right_unit, right, left_unit, left);
    if (strcmp(left->name, right->name) != 0) {
        return;
    }
    if (left->formula != NULL && right->formula != NULL && strcmp(left->formula, right->formula) != 0) {
        cll_fail("experiment %s has the formula `%.400s` in %s, but `%.400s` in %s: %s", left->name, left->formula, left_unit->source,
                 right->formula, right_unit->source, cure);
    }
    if (!have_same_variables(left, right)) {
        cll_fail("experiment %s has %s in %s, but %s in %s: %s", left->name, list_variables(left, left_names, sizeof left_names),
                 left_unit->source, list_variables(right, right_names, sizeof right_names), right_unit->source, cure);
    }
    if (!have_same_counters(left, right)) {
        cll_fail("experiment %s has %s in %s, but %s in %s: %s", left->name, list_counters(left, left_names, sizeof left_names),
                 left_unit->source, list_counters(right, right_names, sizeof right_names), right_unit->source, cure);
    }
}

static void check_units(const cll_unit *left, const cll_unit *right)
{
    check_kinds(left, right);
    for (int first = 0; first < left->experiment_count; first++) {
        for (int second = 0; second < right->experiment_count; second++) {
            check_experiments(left, left->experiments[first], right, right->experiments[second]);
        }
    }
}

#ifdef RTLD_NODELETE

#pragma weak dladdr
#pragma weak dlopen

/* The headers of the main program stand at its beginning. */
static int is_main_program(const void *base)
{
#ifdef __linux__
    uintptr_t headers = (uintptr_t)getauxval(AT_PHDR);
    return headers >= (uintptr_t)base && headers - (uintptr_t)base < 4096;
#else
    (void)base;
    return 0;
#endif
}

/* What a report says of the measurements stands in the shared object of their file, which may be closed before; so does what was measured,
 * where the object has a runtime of its own. */
static void keep_loaded(const cll_registration *registration)
{
    Dl_info object;
    if (dladdr != NULL && dlopen != NULL && dladdr(registration, &object) != 0 && !is_main_program(object.dli_fbase)) {
        dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
}

#else

static void keep_loaded(const cll_registration *registration)
{
    (void)registration;
}

#endif

void cll_units_add(cll_registration *registration)
{
    keep_loaded(registration);
    cll_registration **link = &first_unit;
    pthread_mutex_lock(&units_lock);
    for (; *link != NULL && (*link)->unit != registration->unit; link = &(*link)->next) {
        check_units((*link)->unit, registration->unit);
    }
    if (*link == NULL) {
        registration->next = NULL;
        __atomic_store_n(link, registration, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&units_lock);
}

int cll_units_have(const cll_unit *unit)
{
    const cll_registration *known = next_unit(&first_unit);
    while (known != NULL && known->unit != unit) {
        known = next_unit(&known->next);
    }
    return known != NULL;
}

void cll_units_know(const cll_unit *unit)
{
    if (!cll_units_have(unit)) {
        cll_registration *made = cll_allocate(1, sizeof *made, "the experiments of a file");
        made->unit = unit;
        cll_units_add(made);
    }
}

const cll_unit *cll_units_first(void)
{
    const cll_registration *first = next_unit(&first_unit);
    const cll_registration *known = first;
    while (known != NULL && known->unit->kind == CLL_UNSAID) {
        known = next_unit(&known->next);
    }
    return known != NULL ? known->unit : first != NULL ? first->unit : NULL;
}

int cll_units_count(void)
{
    int count = 0;
    for (const cll_registration *known = next_unit(&first_unit); known != NULL; known = next_unit(&known->next)) {
        count += known->unit->experiment_count;
    }
    return count;
}

static const char *compiler_of(const cll_unit *unit)
{
    return unit->compiler;
}

static const char *flags_of(const cll_unit *unit)
{
    return unit->flags;
}

static void list_distinct(const char *(*fact_of)(const cll_unit *unit), char *text, size_t capacity, const char *otherwise)
{
    size_t length = 0;
    text[0] = '\0';
    for (const cll_registration *known = next_unit(&first_unit); known != NULL; known = next_unit(&known->next)) {
        const char *fact = fact_of(known->unit);
        fact = fact == NULL ? otherwise : fact;
        const cll_registration *before = next_unit(&first_unit);
        while (before != known && strcmp(fact_of(before->unit) == NULL ? otherwise : fact_of(before->unit), fact) != 0) {
            before = next_unit(&before->next);
        }
        if (before == known && length < capacity) {
            length += (size_t)snprintf(text + length, capacity - length, "%s%s", length == 0 ? "" : "; ", fact);
        }
    }
}

void cll_units_compilers(char *text, size_t capacity, const char *otherwise)
{
    list_distinct(compiler_of, text, capacity, otherwise);
}

void cll_units_flags(char *text, size_t capacity, const char *otherwise)
{
    list_distinct(flags_of, text, capacity, otherwise);
}

int cll_units_want_supersteps(void)
{
    for (const cll_registration *known = next_unit(&first_unit); known != NULL; known = next_unit(&known->next)) {
        if (known->unit->supersteps) {
            return 1;
        }
    }
    return 0;
}

int cll_units_want_events(void)
{
    for (const cll_registration *known = next_unit(&first_unit); known != NULL; known = next_unit(&known->next)) {
        if (known->unit->events) {
            return 1;
        }
    }
    return 0;
}

void cll_units_visit(void (*visit)(const cll_experiment *experiment))
{
    for (const cll_registration *known = next_unit(&first_unit); known != NULL; known = next_unit(&known->next)) {
        for (int experiment = 0; experiment < known->unit->experiment_count; experiment++) {
            visit(known->unit->experiments[experiment]);
        }
    }
}

static int first_of_name(const cll_description *descriptions, int count, const char *name)
{
    int first = 0;
    while (first < count && strcmp(descriptions[first].experiment->name, name) != 0) {
        first++;
    }
    return first;
}

cll_description *cll_units_describe(int *count)
{
    size_t total = (size_t)cll_units_count();
    cll_description *descriptions = cll_allocate(total + 1, sizeof *descriptions, "the report");
    *count = 0;
    for (const cll_registration *known = next_unit(&first_unit); known != NULL; known = next_unit(&known->next)) {
        for (int experiment = 0; experiment < known->unit->experiment_count && (size_t)*count < total; experiment++) {
            cll_description *made = &descriptions[*count];
            made->experiment = known->unit->experiments[experiment];
            made->unit = known->unit;
            made->first = first_of_name(descriptions, *count, made->experiment->name);
            ++*count;
        }
    }
    return descriptions;
}

const char *cll_description_file(const cll_description *description, int block)
{
    const char *file = description->experiment->blocks[block].file;
    return file == NULL ? description->unit->source : file;
}
