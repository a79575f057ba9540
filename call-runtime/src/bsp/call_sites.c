/* places.c: the table of places, and their text. */
#include "call_sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "symbols.h"

#if defined(__GLIBC__) || defined(__APPLE__)
#include <execinfo.h>
#define CAN_WALK_STACK 1
#else
#define CAN_WALK_STACK 0
#endif

/* Addresses that are walked, with those of the library. */
#define DEEPEST_STACK 100

#define LONGEST_NAME 256

typedef struct {
    const char *call;
    const char *file; /* NULL: unknown, as where the function was called by its address */
    const char *function;
    int line;
    int depth;
    int is_cut;   /* there is more of the stack */
    size_t stack; /* where its addresses begin in the pool */
    uint64_t hash;
    uint32_t number;  /* 0: not described yet */
    uint32_t speaker; /* the first place with this text */
    int is_used;
    char *text; /* of a speaker */
} place;

void *cll_call_site_caller = NULL;

/* What the macros of the headers have told about the call that follows. */
static struct {
    const char *file;
    const char *function;
    int line;
} position_of_call = {NULL, NULL, 0};

static place *places = NULL;
static uint32_t place_count = 0;
static uint32_t place_capacity = 0;
static uint32_t *place_slots = NULL; /* open addressing, twice the capacity of the places: 1 + number of a place, or 0 */
static void **stack_pool = NULL;     /* of addresses */
static size_t stack_pool_count = 0;
static size_t stack_pool_capacity = 0;
static uint32_t place_number_count = 0;

void cll_at(const char *file, int line, const char *function)
{
    position_of_call.file = file;
    position_of_call.line = line;
    position_of_call.function = function;
}

static int walk_stack(void **addresses)
{
#if CAN_WALK_STACK
    return backtrace(addresses, DEEPEST_STACK);
#else
    (void)addresses;
    return 0;
#endif
}

void cll_call_sites_start(void)
{
    void *addresses[DEEPEST_STACK];
    walk_stack(addresses);
}

static int is_same_place(const place *left, const place *right)
{
    return left->hash == right->hash && left->call == right->call && left->file == right->file && left->line == right->line &&
           left->function == right->function && left->depth == right->depth &&
           memcmp(stack_pool + left->stack, stack_pool + right->stack, (size_t)left->depth * sizeof *stack_pool) == 0;
}

static uint32_t *slot_of_place(const place *its)
{
    uint32_t mask = 2 * place_capacity - 1;
    uint32_t at = (uint32_t)its->hash & mask;
    while (place_slots[at] != 0) {
        const place *other = &places[place_slots[at] - 1];
        if (is_same_place(other, its)) {
            break;
        }
        at = (at + 1) & mask;
    }
    return &place_slots[at];
}

static void *grown_places(void *before, size_t count, size_t size)
{
    void *larger = realloc(before, count * size);
    if (larger == NULL) {
        cll_fail("no memory for the %zu places where supersteps end", count);
    }
    return larger;
}

void cll_call_sites_make_room(void)
{
    if (place_count == place_capacity) {
        place_capacity = place_capacity == 0 ? 64 : 2 * place_capacity;
        places = grown_places(places, place_capacity, sizeof *places);
        place_slots = grown_places(place_slots, 2 * (size_t)place_capacity, sizeof *place_slots);
        memset(place_slots, 0, 2 * (size_t)place_capacity * sizeof *place_slots);
        for (uint32_t number = 0; number < place_count; number++) {
            *slot_of_place(&places[number]) = number + 1;
        }
    }
    if (stack_pool_capacity - stack_pool_count < DEEPEST_STACK) {
        stack_pool_capacity = 2 * stack_pool_capacity + 16 * DEEPEST_STACK;
        stack_pool = grown_places(stack_pool, stack_pool_capacity, sizeof *stack_pool);
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

/* FNV-1a, by words. */
static uint64_t mixed_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

uint32_t cll_call_site_here(const char *call)
{
    place its;
    memset(&its, 0, sizeof its);
    its.call = call;
    its.file = position_of_call.file;
    its.line = position_of_call.line;
    its.function = position_of_call.function;
    its.stack = stack_pool_count;
    int walked = walk_stack(stack_pool + stack_pool_count);
    its.depth = leave_out_library(stack_pool + stack_pool_count, walked);
    its.is_cut = walked == DEEPEST_STACK;
    its.hash = mixed_word(mixed_word(UINT64_C(14695981039346656037), (uint64_t)(uintptr_t)its.file), (uint64_t)its.line);
    for (int at = 0; at < its.depth; at++) {
        its.hash = mixed_word(its.hash, (uint64_t)(uintptr_t)stack_pool[its.stack + (size_t)at]);
    }
    position_of_call.file = NULL;
    position_of_call.function = NULL;
    position_of_call.line = 0;
    cll_call_site_caller = NULL;
    uint32_t *slot = slot_of_place(&its);
    if (*slot == 0) {
        places[place_count++] = its;
        stack_pool_count += (size_t)its.depth;
        *slot = place_count;
    }
    return *slot - 1;
}

typedef struct {
    char *bytes;
    size_t length;
    size_t capacity;
} place_text;

static void add_place_text(place_text *text, const char *added)
{
    size_t length = strlen(added);
    if (text->length + length + 1 > text->capacity) {
        text->capacity = 2 * (text->length + length + 1);
        text->bytes = grown_places(text->bytes, text->capacity, 1);
    }
    memcpy(text->bytes + text->length, added, length + 1);
    text->length += length;
}

/* Escapes as words of the trace have them. */
static void add_place_word(place_text *text, const char *word)
{
    static const char escaped[] = "\n\r\\\t ";
    static const char *const escapes[] = {"\\n", "\\r", "\\\\", "\\t", "\\s"};
    for (; *word != '\0'; word++) {
        const char *found = strchr(escaped, *word);
        char one[2] = {*word, '\0'};
        add_place_text(text, found == NULL ? one : escapes[found - escaped]);
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

static void add_place_function(place_text *text, int *functions, const char *name)
{
    add_place_text(text, (*functions)++ == 0 ? " in " : " < ");
    add_place_word(text, name);
}

/* What comes before a dot: `solve.constprop.0` is solve. */
static void cut_suffix(char *symbol)
{
    char *dot = strchr(symbol + (symbol[0] != '\0'), '.');
    if (dot != NULL && strchr(symbol, '+') == NULL) {
        *dot = '\0';
    }
}

static void add_place_stack(place_text *text, const place *its)
{
    int functions = 0;
    int reaches_main = 0;
    int is_innermost = 1;
    char symbol[LONGEST_NAME];
    if (its->function != NULL) {
        reaches_main = is_main(its->function);
        add_place_function(text, &functions, reaches_main ? "main" : its->function);
    }
    for (int at = 0; at < its->depth && !reaches_main; at++) {
        cll_symbol_name((const char *)stack_pool[its->stack + (size_t)at] - 1, symbol, sizeof symbol);
        if (is_below_main(symbol)) {
            break;
        }
        if (strncmp(symbol, "cll_", 4) == 0) {
            continue;
        }
        reaches_main = is_main(symbol);
        if (!is_innermost || its->function == NULL || !is_of_function(symbol, its->function)) {
            cut_suffix(symbol);
            add_place_function(text, &functions, reaches_main ? "main" : symbol);
        }
        is_innermost = 0;
    }
    if (its->is_cut && !reaches_main) {
        add_place_function(text, &functions, "...");
    }
}

static char *describe_place(const place *its)
{
    place_text text = {NULL, 0, 0};
    char line[16];
    add_place_text(&text, its->call);
    add_place_text(&text, " ");
    if (its->file == NULL) {
        add_place_text(&text, "?");
    } else {
        snprintf(line, sizeof line, ":%d", its->line);
        add_place_word(&text, its->file);
        add_place_text(&text, line);
    }
    add_place_stack(&text, its);
    return text.bytes;
}

/* FNV-1a, by bytes. */
static uint64_t hash_of_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Where a place with this text stands in the table, or would stand. */
static uint32_t *slot_of_text(uint32_t *table, const char *text)
{
    uint32_t mask = 2 * place_capacity - 1;
    uint32_t at = (uint32_t)hash_of_text(text) & mask;
    while (table[at] != 0 && strcmp(places[table[at] - 1].text, text) != 0) {
        at = (at + 1) & mask;
    }
    return &table[at];
}

void cll_call_sites_describe(void)
{
    uint32_t *table = calloc(2 * (size_t)place_capacity + 1, sizeof *table);
    if (table == NULL) {
        cll_fail("no memory to describe %lu places where supersteps end", (unsigned long)place_count);
    }
    for (uint32_t at = 0; at < place_count; at++) {
        place *its = &places[at];
        its->is_used = 0;
        if (its->number > 0 && its->text == NULL) {
            continue;
        }
        char *text = its->text == NULL ? describe_place(its) : its->text;
        uint32_t *slot = slot_of_text(table, text);
        if (*slot == 0) {
            *slot = at + 1;
            its->text = text;
            its->speaker = at;
            its->number = its->number == 0 ? ++place_number_count : its->number;
        } else {
            its->speaker = *slot - 1;
            its->number = places[its->speaker].number;
            free(text);
        }
    }
    free(table);
}

void cll_call_site_use(uint32_t at)
{
    places[places[at].speaker].is_used = 1;
}

uint32_t cll_call_site_number(uint32_t at)
{
    return places[at].number;
}

const char *cll_call_site_next_text(uint32_t *at)
{
    while (*at < place_count && !places[*at].is_used) {
        ++*at;
    }
    return *at < place_count ? places[*at].text : NULL;
}
