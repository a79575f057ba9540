/* known_stacks.c: a stack that was walked is remembered by the words of memory that made the walk go where it went: return addresses,
 * and the base pointers from which functions with frames of any size find theirs. As long as each of them is the same, from the
 * innermost on, so is the next one's place. */
#include "known_stacks.h"

#include <stddef.h>
#include <string.h>

#include "../base/fail.h"
#include "../base/table.h"
#include "../base/thread.h"

#if defined(__linux__) && defined(__GNUC__) && defined(__x86_64__) && defined(__LP64__)
#include <unwind.h>

enum { BASE_POINTER = 6 /* its number in DWARF */, STACK_WAYS = 4, MOST_WORDS = 64 };

/* Of simulated processors there are many, and each walks in no time. */
#ifdef CLL_SMPI
enum { STACK_SETS = 8 };
#else
enum { STACK_SETS = 64 };
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define READS_STACK __attribute__((no_sanitize("address")))
#else
#define READS_STACK
#endif

typedef struct {
    uintptr_t place;
    uintptr_t value;
} stack_word;

typedef struct {
    const void *frame; /* NULL: not in use */
    uint32_t number;
    int word_count;
    stack_word words[MOST_WORDS];
} known_stack;

typedef struct {
    uintptr_t frame;
    void **addresses;
    int capacity;
    int count;
    /* Of the function that came last: where its stack ends, its base pointer, and between which places that one was saved. */
    uintptr_t end;
    uintptr_t base;
    uintptr_t saved_from;
    uintptr_t saved_to;
} stack_walk;

static known_stack *known_stacks = NULL;
static unsigned next_way = 0;
static known_stack walked = {NULL, CLL_STACK_UNKNOWN, 0, {{0, 0}}}; /* without a frame: cannot be known again */

READS_STACK static uintptr_t word_at(uintptr_t place)
{
    return *(const uintptr_t *)place;
}

static void add_word(uintptr_t place, uintptr_t value)
{
    if (walked.word_count == MOST_WORDS || word_at(place) != value) {
        walked.frame = NULL;
        return;
    }
    walked.words[walked.word_count].place = place;
    walked.words[walked.word_count++].value = value;
}

/* The base pointer of the last function tells where its frame is: then it is one of the words, wherever it may be saved. */
static void add_base(const stack_walk *walk, uintptr_t next_end)
{
    if (walk->base < walk->end || walk->base >= next_end) {
        return;
    }
    int count = walked.word_count;
    for (uintptr_t place = walk->saved_from; place < walk->saved_to; place += sizeof(uintptr_t)) {
        if (word_at(place) == walk->base) {
            add_word(place, walk->base);
        }
    }
    int is_usual = walk->base + 2 * sizeof(uintptr_t) == next_end;
    if (!is_usual || walked.word_count == count) {
        walked.frame = NULL;
    }
}

static _Unwind_Reason_Code add_function(struct _Unwind_Context *context, void *its)
{
    stack_walk *walk = its;
    uintptr_t end = (uintptr_t)_Unwind_GetCFA(context); /* of the functions below, at which this one's stack ends */
    uintptr_t address = (uintptr_t)_Unwind_GetIP(context);
    if (end < walk->frame + 2 * sizeof(uintptr_t)) {
        return _URC_NO_REASON;
    }
    if (address == 0 || walk->count == walk->capacity) {
        return _URC_END_OF_STACK;
    }
    uintptr_t base = (uintptr_t)_Unwind_GetGR(context, BASE_POINTER);
    uintptr_t place = end - sizeof(uintptr_t);
    if (walk->count > 0 && walked.frame != NULL) {
        add_base(walk, end);
    }
    if (walk->count == 0 || base != walk->base) {
        walk->saved_from = walk->count == 0 ? walk->frame : walk->end;
        walk->saved_to = place;
    }
    if (walked.frame != NULL) {
        add_word(place, address);
    }
    walk->end = end;
    walk->base = base;
    walk->addresses[walk->count++] = (void *)address;
    return _URC_NO_REASON;
}

void cll_stacks_start(void)
{
    if (known_stacks == NULL) {
        known_stacks = cll_allocate(STACK_SETS * STACK_WAYS, sizeof *known_stacks, "the call stacks of supersteps");
    }
}

int cll_stack_walk(const void *frame, void **addresses, int capacity)
{
    stack_walk walk = {(uintptr_t)frame, addresses, capacity, 0, 0, 0, 0, 0};
    walked.frame = frame;
    walked.word_count = 0;
    _Unwind_Backtrace(add_function, &walk);
    return walk.count;
}

static known_stack *stacks_of(const void *frame)
{
    uintptr_t caller = word_at((uintptr_t)frame + sizeof(uintptr_t));
    uint64_t hash = cll_hash_word((uint64_t)(uintptr_t)frame, (uint64_t)caller);
    return known_stacks + STACK_WAYS * (size_t)(hash % STACK_SETS);
}

READS_STACK static int is_there(const known_stack *known)
{
    for (int at = 0; at < known->word_count; at++) {
        if (*(const uintptr_t *)known->words[at].place != known->words[at].value) {
            return 0;
        }
    }
    return 1;
}

uint32_t cll_stack_number(const void *frame)
{
    const known_stack *known = stacks_of(frame);
    for (int way = 0; way < STACK_WAYS; way++, known++) {
        if (known->frame == frame && is_there(known)) {
            return known->number;
        }
    }
    return CLL_STACK_UNKNOWN;
}

void cll_stack_remember(uint32_t number)
{
    if (walked.frame != NULL) {
        known_stack *replaced = stacks_of(walked.frame) + next_way++ % STACK_WAYS;
        walked.number = number;
        memcpy(replaced, &walked, offsetof(known_stack, words) + (size_t)walked.word_count * sizeof *walked.words);
    }
}
#else
#if defined(__GLIBC__) || defined(__APPLE__)
#include <execinfo.h>

int cll_stack_walk(const void *frame, void **addresses, int capacity)
{
    (void)frame;
    return backtrace(addresses, capacity);
}
#else
int cll_stack_walk(const void *frame, void **addresses, int capacity)
{
    (void)frame;
    (void)addresses;
    (void)capacity;
    return 0;
}
#endif

void cll_stacks_start(void)
{
}

uint32_t cll_stack_number(const void *frame)
{
    (void)frame;
    return CLL_STACK_UNKNOWN;
}

void cll_stack_remember(uint32_t number)
{
    (void)number;
}
#endif
