/* pub_subsets.c: collectives of some processors of a machine that run while the superstep goes on: what each has to give leaves at the call,
 * and what it gets is taken, and combined, when its superstep ends. So none waits for another one before. */
#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "pub_inside.h"

typedef enum { BROADCAST, REDUCTION, PREFIXES } subset_kind;

typedef struct subset {
    struct subset *next;
    cll_machine *machine;
    uint64_t superstep;
    const char *call;
    subset_kind kind;
    t_bspop combine;
    void *result;
    int size;
    int count;
    int root;         /* position of who broadcasts */
    int position;     /* of this processor */
    unsigned char *own; /* what it gives, then its processors */
    int processors[];
} subset;

static subset *oldest_subset = NULL;
static subset **subset_end = &oldest_subset;

static int position_of(const subset *its, int processor)
{
    for (int position = 0; position < its->count; position++) {
        if (its->processors[position] == processor) {
            return position;
        }
    }
    return -1;
}

static void check_members(const subset *its)
{
    for (int position = 0; position < its->count; position++) {
        cll_machine_check_processor(its->machine, its->processors[position], its->call);
        if (position_of(its, its->processors[position]) != position) {
            cll_fail("%s: processor %d is listed twice", its->call, its->processors[position]);
        }
    }
    if (its->position < 0) {
        cll_fail("%s: processor %d is not among the processors that take part", its->call, cll_machine_processor(its->machine));
    }
}

/* Whether the processor at one position gives its data to the one at another. */
static int gives(const subset *its, int from, int to)
{
    switch (its->kind) {
    case BROADCAST:
        return from == its->root && to != from;
    case REDUCTION:
        return to != from;
    case PREFIXES:
        return to > from;
    }
    return 0;
}

static subset *new_subset(const t_bsp *bsp, subset_kind kind, int count, const int *processors, int size, const char *call)
{
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    cll_machine_check_innermost(machine, call);
    if (count < 1 || processors == NULL || size < 0) {
        cll_fail("%s: hand over how many processors take part, their numbers, and a size that is not negative", call);
    }
    subset *made = cll_allocate(1, sizeof *made + (size_t)count * sizeof *processors, "a collective function");
    made->machine = machine;
    made->superstep = machine->superstep;
    made->call = call;
    made->kind = kind;
    made->count = count;
    made->size = size;
    made->own = cll_allocate(1, (size_t)size, "the data of a collective function");
    memcpy(made->processors, processors, (size_t)count * sizeof *processors);
    made->position = position_of(made, cll_machine_processor(machine));
    check_members(made);
    return made;
}

static void start_subset(subset *its, const void *data, void *result)
{
    its->result = result;
    if (its->size > 0 && (data == NULL || result == NULL)) {
        cll_fail("%s: the address of the data or of the result is NULL", its->call);
    }
    if (its->size > 0) {
        memcpy(its->own, data, (size_t)its->size);
    }
    for (int position = 0; position < its->count; position++) {
        if (gives(its, its->position, position)) {
            cll_pub_give(its->machine, its->superstep, its->processors[position], its->own, (size_t)its->size);
        }
    }
    *subset_end = its;
    subset_end = &its->next;
}

void bsp_gbcast(t_bsp *bsp, int count, const int *processors, int root, void *data, int size)
{
    subset *made = new_subset(bsp, BROADCAST, count, processors, size, "bsp_gbcast");
    made->root = position_of(made, root);
    if (made->root < 0) {
        cll_fail("%s: processor %d, which broadcasts, is not among the processors that take part", made->call, root);
    }
    start_subset(made, data, data);
}

static void combine_subset(t_bsp *bsp, subset_kind kind, int count, const int *processors, t_bspop combine, const void *data,
                           void *result, int size, const char *call)
{
    subset *made = new_subset(bsp, kind, count, processors, size, call);
    made->combine = combine;
    if (combine == NULL) {
        cll_fail("%s: the function that combines is NULL", call);
    }
    start_subset(made, data, result);
}

void bsp_greduce(t_bsp *bsp, int count, const int *processors, t_bspop combine, const void *data, void *result, int size)
{
    combine_subset(bsp, REDUCTION, count, processors, combine, data, result, size, "bsp_greduce");
}

void bsp_gscan(t_bsp *bsp, int count, const int *processors, t_bspop combine, const void *data, void *result, int size)
{
    combine_subset(bsp, PREFIXES, count, processors, combine, data, result, size, "bsp_gscan");
}

/* Of the processor at that position, into the place. */
static void take_part(const subset *its, int position, unsigned char *place)
{
    size_t bytes = (size_t)its->size;
    if (position == its->position) {
        memcpy(place, its->own, bytes);
        return;
    }
    int from = its->processors[position];
    size_t came = cll_pub_take(its->machine, its->superstep, from, place, bytes, its->call);
    if (came != bytes) {
        cll_fail("%s: processor %d has %zu bytes, and processor %d has %zu", its->call, from, came,
                 cll_machine_processor(its->machine), bytes);
    }
}

static void finish_subset(const subset *its)
{
    size_t bytes = (size_t)its->size;
    unsigned char *places = cll_allocate(3, bytes, "the data of a collective function");
    unsigned char *before = places;
    unsigned char *next = places + bytes;
    unsigned char *combined = next + bytes;
    int first = its->kind == BROADCAST ? its->root : 0;
    int last = its->kind == BROADCAST ? its->root : its->kind == REDUCTION ? its->count - 1 : its->position;
    take_part(its, first, before);
    for (int position = first + 1; position <= last; position++) {
        take_part(its, position, next);
        its->combine(combined, before, next, its->size);
        memcpy(before, combined, bytes);
    }
    if (bytes > 0) {
        memcpy(its->result, before, bytes);
    }
    free(places);
}

void cll_pub_finish_subsets(const cll_machine *machine)
{
    subset **link = &oldest_subset;
    while (*link != NULL) {
        subset *its = *link;
        if (its->machine == machine) {
            finish_subset(its);
            link = &oldest_subset; /* others may have gone on while this one waited */
            while (*link != its) {
                link = &(*link)->next;
            }
            *link = its->next;
            free(its->own);
            free(its);
        } else {
            link = &its->next;
        }
    }
    subset_end = link;
}

void cll_pub_check_subsets(const cll_machine *machine, const char *call)
{
    for (const subset *its = oldest_subset; its != NULL; its = its->next) {
        if (its->machine == machine) {
            cll_fail("%s: the superstep of a %s has not been ended with a bsp_sync", call, its->call);
        }
    }
}
