/* machine_stack.c: opens, closes and finds machines. */
#include "machine_stack.h"

#include <stdlib.h>

static cll_machine *innermost_machine = NULL;
static cll_machine *closed = NULL; /* to be used again, so that a partition allocates nothing as a rule */

static const uint32_t stream_kinds[CLL_STREAMS] = {CLL_DATA, CLL_PUTS, CLL_GETS};

static void fail_without_memory(const char *call)
{
    cll_fail("%s: no memory", call);
}

/* A closed machine that is large enough, or a new one. */
static cll_machine *new_machine(int processors, const char *call)
{
    cll_machine **link = &closed;
    while (*link != NULL && (*link)->capacity < processors) {
        link = &(*link)->parent;
    }
    cll_machine *machine = *link;
    if (machine != NULL) {
        *link = machine->parent;
        return machine;
    }
    machine = calloc(1, sizeof *machine);
    if (machine == NULL) {
        fail_without_memory(call);
    }
    machine->capacity = processors;
    for (int number = 0; number < CLL_STREAMS; number++) {
        cll_stream *stream = &machine->streams[number];
        stream->kind = stream_kinds[number];
        stream->outgoing = calloc((size_t)processors, sizeof *stream->outgoing);
        stream->destinations = calloc((size_t)processors, sizeof *stream->destinations);
        if (stream->outgoing == NULL || stream->destinations == NULL) {
            fail_without_memory(call);
        }
    }
    return machine;
}

cll_machine *cll_machine_push(uint64_t key, int first_processor, int processors, int processor, const char *call)
{
    cll_machine *machine = new_machine(processors, call);
    machine->parent = innermost_machine;
    machine->key = key;
    machine->first_processor = first_processor;
    machine->processors = processors;
    machine->processor = processor;
    machine->virtual_count = machine->parent == NULL ? 1 : machine->parent->virtual_count;
    machine->virtual_number = machine->virtual_count == 1 ? 0 : (first_processor + processor) % machine->virtual_count;
    machine->key += (uint64_t)machine->virtual_number;
    machine->superstep = 1;
    machine->barriers = 0;
    machine->partitions = 0;
    machine->waits_for = CLL_DATA;
    machine->tag_bytes = -1;
    innermost_machine = machine;
    return machine;
}

void cll_machine_pop(void)
{
    cll_machine *machine = innermost_machine;
    innermost_machine = machine->parent;
    machine->parent = closed;
    closed = machine;
}

cll_machine *cll_machine_check(const void *machine, const char *call)
{
    cll_machine *open = innermost_machine;
    if (innermost_machine == NULL) {
        cll_fail("%s: no BSP machine is in use: the call must stand between the start and the end of the BSP library", call);
    }
    while (machine != NULL && open != NULL && open != machine) {
        open = open->parent;
    }
    if (open == NULL) {
        cll_fail("%s: the BSP machine that was given is not open: it was closed, or never made by a start or a partition", call);
    }
    return open;
}

int cll_machine_processors(const cll_machine *machine)
{
    return machine->processors;
}

int cll_machine_processor(const cll_machine *machine)
{
    return machine->processor;
}

cll_machine *cll_machine_innermost(void)
{
    return innermost_machine;
}

void cll_machine_set_innermost(cll_machine *machine)
{
    innermost_machine = machine;
}

void cll_machine_check_innermost(const cll_machine *machine, const char *call)
{
    if (machine != innermost_machine) {
        cll_fail("%s: a part of this machine is still open: close it with bsp_done first", call);
    }
}

void cll_machine_fail_processor(const cll_machine *machine, int processor, const char *call)
{
    cll_fail("%s: processor %d does not exist in a machine of %d processors", call, processor, machine->processors);
}
