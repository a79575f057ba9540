/* call_sites.c: the table of call sites, and their text. */
#include "call_sites.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../base/table.h"
#include "known_stacks.h"
#include "source_lines.h"
#include "symbols.h"

/* Addresses that are walked, with those of the library. */
#define DEEPEST_STACK 100

#define LONGEST_NAME 256
#define LONGEST_FILE 4096

typedef struct {
    const char *call;
    const char *file; /* NULL: unknown, as where the function was called by its address */
    const char *function;
    const void *caller; /* of the library, NULL: not told */
    int line;
    int depth;
    int is_cut;   /* there is more of the stack */
    size_t stack; /* where its addresses begin in the pool */
    uint64_t hash;
    uint32_t number;  /* 0: not described yet */
    uint32_t speaker; /* the first call site with this text */
    int is_used;
    char *text; /* of a speaker */
} call_site;

void *cll_call_site_caller = NULL;

/* What the macros of the headers have told about the call that follows. */
static struct {
    const char *file;
    const char *function;
    int line;
} position_of_call = {NULL, NULL, 0};

static call_site *call_sites = NULL;
static uint32_t site_count = 0;
static uint32_t site_capacity = 0;
static cll_table sites_by_stack;     /* numbers of call sites */
static void **stack_pool = NULL;     /* of addresses */
static size_t stack_pool_count = 0;
static size_t stack_pool_capacity = 0;
static uint32_t site_number_count = 0;

static const char purpose_of_sites[] = "the call sites of supersteps";

void cll_at(const char *file, int line, const char *function)
{
    position_of_call.file = file;
    position_of_call.line = line;
    position_of_call.function = function;
}

cll_program_call cll_call_site_call(void)
{
    cll_program_call call = {position_of_call.file, position_of_call.function, cll_call_site_caller, position_of_call.line};
    return call;
}

void cll_call_site_set_call(const cll_program_call *call)
{
    cll_at(call->file, call->line, call->function);
    cll_call_site_caller = call->caller;
}

/* The first walk allocates. */
void cll_call_sites_start(void)
{
    void *addresses[DEEPEST_STACK];
    cll_stacks_start();
    cll_stack_walk(CLL_FRAME, addresses, DEEPEST_STACK);
}

static int has_same_position(const call_site *left, const call_site *right)
{
    return left->call == right->call && left->file == right->file && left->line == right->line && left->function == right->function &&
           left->caller == right->caller;
}

static int is_same_site(const void *key, uint64_t number)
{
    const call_site *left = &call_sites[number];
    const call_site *right = key;
    return has_same_position(left, right) && left->depth == right->depth &&
           memcmp(stack_pool + left->stack, stack_pool + right->stack, (size_t)left->depth * sizeof *stack_pool) == 0;
}

void cll_call_sites_make_room(void)
{
    if (site_count == site_capacity) {
        site_capacity = site_capacity == 0 ? 64 : 2 * site_capacity;
        call_sites = cll_reallocate(call_sites, site_capacity, sizeof *call_sites, purpose_of_sites);
        cll_table_reserve(&sites_by_stack, site_capacity, purpose_of_sites);
    }
    if (stack_pool_capacity - stack_pool_count < DEEPEST_STACK) {
        stack_pool_capacity = 2 * stack_pool_capacity + 16 * DEEPEST_STACK;
        stack_pool = cll_reallocate(stack_pool, stack_pool_capacity, sizeof *stack_pool, purpose_of_sites);
    }
}

/* The frames of the library come first. */
static int leave_out_library(void **addresses, int count)
{
    int first = 0;
    while (first < count && addresses[first] != cll_call_site_caller) {
        first++;
    }
    if (first == count) {
        return cll_call_site_caller == NULL ? count : 0; /* names will tell; or the walk got lost in the library */
    }
    memmove(addresses, addresses + first, (size_t)(count - first) * sizeof *addresses);
    return count - first;
}

/* Finds the call site whose stack lies behind the pool, or adds it. */
static uint32_t find_stack(call_site *its)
{
    its->stack = stack_pool_count;
    its->hash = cll_hash_word(cll_hash_address(its->file), (uint64_t)its->line);
    for (int at = 0; at < its->depth; at++) {
        its->hash = cll_hash_word(its->hash, (uint64_t)(uintptr_t)stack_pool[its->stack + (size_t)at]);
    }
    uint64_t found = cll_table_find(&sites_by_stack, its->hash, is_same_site, its);
    if (found == CLL_TABLE_NONE) {
        found = site_count;
        cll_table_add(&sites_by_stack, its->hash, found);
        call_sites[site_count++] = *its;
        stack_pool_count += (size_t)its->depth;
    }
    return (uint32_t)found;
}

static uint32_t find_site(call_site *its, const void *frame)
{
    int walked = cll_stack_walk(frame, stack_pool + stack_pool_count, DEEPEST_STACK);
    its->depth = leave_out_library(stack_pool + stack_pool_count, walked);
    its->is_cut = walked == DEEPEST_STACK;
    return find_stack(its);
}

uint32_t cll_call_site_inside(const char *call, const void *caller, uint32_t region)
{
    const call_site *around = &call_sites[region];
    void **stack = stack_pool + stack_pool_count;
    call_site its;
    memset(&its, 0, sizeof its);
    its.call = call;
    its.caller = caller;
    its.is_cut = around->is_cut;
    if (caller != around->caller) {
        stack[its.depth++] = (void *)(uintptr_t)caller;
    }
    for (int at = 0; at < around->depth && its.depth < DEEPEST_STACK; at++) {
        stack[its.depth++] = stack_pool[around->stack + (size_t)at];
    }
    return find_stack(&its);
}

uint32_t cll_call_site_nowhere(const char *call)
{
    call_site its;
    memset(&its, 0, sizeof its);
    its.call = call;
    return find_stack(&its);
}

uint32_t cll_call_site_above(const char *call, const void *frame)
{
    call_site its;
    memset(&its, 0, sizeof its);
    its.call = call;
    its.file = position_of_call.file;
    its.line = position_of_call.line;
    its.function = position_of_call.function;
    its.caller = cll_call_site_caller;
    uint32_t found = cll_stack_number(frame);
    if (found == CLL_STACK_UNKNOWN || !has_same_position(&call_sites[found], &its)) {
        found = find_site(&its, frame);
        cll_stack_remember(found);
    }
    position_of_call.file = NULL;
    position_of_call.function = NULL;
    position_of_call.line = 0;
    cll_call_site_caller = NULL;
    return found;
}

CLL_WITH_FRAME uint32_t cll_call_site_here(const char *call)
{
    return cll_call_site_above(call, CLL_FRAME);
}

typedef struct {
    char *bytes;
    size_t length;
    size_t capacity;
} site_text;

static void add_site_text(site_text *text, const char *added)
{
    size_t length = strlen(added);
    if (text->length + length + 1 > text->capacity) {
        text->capacity = 2 * (text->length + length + 1);
        text->bytes = cll_reallocate(text->bytes, text->capacity, 1, purpose_of_sites);
    }
    memcpy(text->bytes + text->length, added, length + 1);
    text->length += length;
}

/* Escapes as words of the trace have them. */
static void add_site_word(site_text *text, const char *word)
{
    static const char escaped[] = "\n\r\\\t ";
    static const char *const escapes[] = {"\\n", "\\r", "\\\\", "\\t", "\\s"};
    for (; *word != '\0'; word++) {
        const char *found = strchr(escaped, *word);
        char one[2] = {*word, '\0'};
        add_site_text(text, found == NULL ? one : escapes[found - escaped]);
    }
}

/* Does a symbol belong to this function of the source? Optimisers append `.part.0` and the like; C++ writes lengths before names. */
static int is_of_function(const char *symbol, const char *function)
{
    size_t length = strlen(function);
    if (strncmp(symbol, function, length) == 0 && (symbol[length] == '\0' || symbol[length] == '.')) {
        return 1;
    }
    const char *found = strncmp(symbol, "_Z", 2) == 0 ? strstr(symbol + 2, function) : NULL;
    return found != NULL && found[-1] >= '0' && found[-1] <= '9';
}

/* Where the program itself begins, under the names that it can have. */
static int is_main(const char *symbol)
{
    return strcmp(symbol, "main") == 0 || strcmp(symbol, "smpi_simulated_main_") == 0;
}

static int is_below_main(const char *symbol)
{
    static const char *const beginnings[] = {"libc.so", "__libc_start", "libsimgrid.so"};
    for (size_t number = 0; number < sizeof beginnings / sizeof *beginnings; number++) {
        if (strncmp(symbol, beginnings[number], strlen(beginnings[number])) == 0) {
            return 1;
        }
    }
    return strcmp(symbol, "_start") == 0;
}

/* What compilers make of the body of a parallel region: the function that the region stands in comes next. */
static int is_body(const char *symbol)
{
    return strncmp(symbol, ".omp_", 5) == 0 || strstr(symbol, ".omp_outlined") != NULL || strstr(symbol, "._omp_fn") != NULL;
}

static const char *behind_beginning(const char *symbol, const char *beginning)
{
    for (; *beginning != '\0'; symbol++, beginning++) {
        if (tolower((unsigned char)*symbol) != tolower((unsigned char)*beginning)) {
            return NULL;
        }
    }
    return symbol;
}

/* Fortran comes to functions of MPI by those of its own: `mpi_send_` or `PMPI_SEND`, as compilers write them, `mpi_send_f08_`, and
 * `mpi_win_allocate_cptr_` for other arguments. */
static int is_binding(const char *symbol, const char *call)
{
    symbol = behind_beginning(symbol + (*symbol == 'p' || *symbol == 'P'), call);
    if (symbol == NULL) {
        return 0;
    }
    const char *of_module = behind_beginning(symbol, "_f08");
    const char *of_arguments = behind_beginning(symbol, "_cptr");
    symbol = of_module != NULL ? of_module : of_arguments != NULL ? of_arguments : symbol;
    return symbol[strspn(symbol, "_")] == '\0';
}

/* Where MPI describes buffers of Fortran, this one calls one of the library's own, which has maybe no name and calls that for C. */
static int is_describing_binding(const char *symbol, const char *call)
{
    symbol = behind_beginning(symbol, call);
    return symbol != NULL && behind_beginning(symbol, "_f08ts") != NULL;
}

static void name_frame(const call_site *its, int at, char *symbol)
{
    cll_symbol_name((const char *)stack_pool[its->stack + (size_t)at] - 1, symbol, LONGEST_NAME);
}

/* Where the body of a parallel region ends in a barrier, compilers make a jump of that call: it returns to the runtime. */
static int is_runtime_of_openmp(const char *symbol)
{
    return strncmp(symbol, "__kmp", 5) == 0 || strncmp(symbol, "libomp", 6) == 0 || strncmp(symbol, "libiomp", 7) == 0;
}

/* Leaves out what the program does not call itself. */
static void skip_binding(call_site *its)
{
    char symbol[LONGEST_NAME];
    if (its->file != NULL || its->depth < 2) {
        return;
    }
    int skipped = 0;
    name_frame(its, 0, symbol);
    if (is_binding(symbol, its->call) || is_runtime_of_openmp(symbol)) {
        skipped = 1;
    } else if (its->depth > 2) {
        name_frame(its, 1, symbol);
        skipped = is_describing_binding(symbol, its->call) ? 2 : 0;
    }
    its->stack += (size_t)skipped;
    its->depth -= skipped;
    its->caller = skipped > 0 ? stack_pool[its->stack] : its->caller;
}

static void add_site_function(site_text *text, int *functions, const char *name)
{
    add_site_text(text, (*functions)++ == 0 ? " in " : " < ");
    add_site_word(text, name);
}

/* What comes before a dot: `solve.constprop.0` is solve. */
static void cut_suffix(char *symbol)
{
    char *dot = strchr(symbol + (symbol[0] != '\0'), '.');
    if (dot != NULL && strchr(symbol, '+') == NULL) {
        *dot = '\0';
    }
}

/* A forked processor has called the function of its section anew, above the stack on which processor 0 had come to bsp_begin in it: the
 * frame of that, if this one is where the two meet, so that the callers of all processors are the same. */
static int skip_to_callers(const call_site *its, int at, const char *symbol, const char *function)
{
    char below[LONGEST_NAME];
    if (strncmp(symbol, "cll_bsplib_execute_sections", 27) != 0) {
        return at;
    }
    for (int other = at + 1; other < its->depth; other++) {
        name_frame(its, other, below);
        if (is_of_function(below, function)) {
            return other;
        }
    }
    return at;
}

static void add_site_stack(site_text *text, const call_site *its)
{
    int functions = 0;
    int reaches_main = 0;
    int is_innermost = 1;
    char symbol[LONGEST_NAME];
    char last[LONGEST_NAME] = "";
    if (its->function != NULL) {
        reaches_main = is_main(its->function);
        add_site_function(text, &functions, reaches_main ? "main" : its->function);
        snprintf(last, sizeof last, "%s", its->function);
    }
    for (int at = 0; at < its->depth && !reaches_main; at++) {
        name_frame(its, at, symbol);
        if (is_below_main(symbol)) {
            break;
        }
        if (is_body(symbol)) {
            continue;
        }
        if (strncmp(symbol, "cll_", 4) == 0) {
            at = skip_to_callers(its, at, symbol, last);
            continue;
        }
        reaches_main = is_main(symbol);
        if (!is_innermost || its->function == NULL || !is_of_function(symbol, its->function)) {
            cut_suffix(symbol);
            add_site_function(text, &functions, reaches_main ? "main" : symbol);
            snprintf(last, sizeof last, "%s", symbol);
        }
        is_innermost = 0;
    }
    if (its->is_cut && !reaches_main) {
        add_site_function(text, &functions, "...");
    }
}

/* As the macros have told it; else as the compiler has told the debugger. */
static void add_site_position(site_text *text, const call_site *its)
{
    char file[LONGEST_FILE];
    char line[24];
    if (its->file != NULL) {
        snprintf(line, sizeof line, ":%d", its->line);
        add_site_word(text, its->file);
        add_site_text(text, line);
        return;
    }
    /* The instruction before that to which the call returns. */
    unsigned long found = its->caller == NULL ? 0 : cll_source_line((const char *)its->caller - 1, file, sizeof file);
    if (found == 0) {
        add_site_text(text, "?");
    } else {
        snprintf(line, sizeof line, ":%lu", found);
        add_site_word(text, file);
        add_site_text(text, line);
    }
}

static char *describe_site(const call_site *its)
{
    site_text text = {NULL, 0, 0};
    call_site told = *its;
    skip_binding(&told);
    add_site_text(&text, told.call);
    add_site_text(&text, " ");
    add_site_position(&text, &told);
    add_site_stack(&text, &told);
    return text.bytes;
}

static int has_text(const void *text, uint64_t number)
{
    return strcmp(call_sites[number].text, text) == 0;
}

void cll_call_sites_describe(void)
{
    cll_table by_text = {0};
    cll_table_reserve(&by_text, site_count, purpose_of_sites);
    for (uint32_t at = 0; at < site_count; at++) {
        call_site *its = &call_sites[at];
        its->is_used = 0;
        if (its->number > 0 && its->text == NULL) {
            continue;
        }
        char *text = its->text == NULL ? describe_site(its) : its->text;
        uint64_t found = cll_table_find(&by_text, cll_hash_text(text), has_text, text);
        if (found == CLL_TABLE_NONE) {
            cll_table_add(&by_text, cll_hash_text(text), at);
            its->text = text;
            its->speaker = at;
            its->number = its->number == 0 ? ++site_number_count : its->number;
        } else {
            its->speaker = (uint32_t)found;
            its->number = call_sites[its->speaker].number;
            free(text);
        }
    }
    cll_table_release(&by_text);
}

void cll_call_site_use(uint32_t at)
{
    call_sites[call_sites[at].speaker].is_used = 1;
}

uint32_t cll_call_site_number(uint32_t at)
{
    return call_sites[at].number;
}

int cll_call_site_next(uint32_t *at)
{
    while (*at < site_count && !call_sites[*at].is_used) {
        ++*at;
    }
    return *at < site_count;
}

uint32_t cll_call_sites_count(void)
{
    return site_count;
}

const char *cll_call_site_text(uint32_t at)
{
    return call_sites[call_sites[at].speaker].text;
}
