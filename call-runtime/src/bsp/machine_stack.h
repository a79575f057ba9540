/* machine_stack.h: what a machine consists of, and the machines that are open. A part of a machine is opened on top of it. */
#ifndef CLL_BSP_MACHINE_STACK_H
#define CLL_BSP_MACHINE_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "../base/fail.h"
#include "inbox.h"
#include "registrations.h"
#include "transport.h"

typedef struct {
    cll_packet *first;
    cll_packet *last;
} cll_outgoing;

/* Packets of one kind that leave at the end of the superstep. */
typedef struct {
    cll_outgoing *outgoing; /* for each destination */
    int *destinations;      /* those that have outgoing packets */
    int destination_count;
    uint32_t kind;
    uint64_t packet_count; /* in this superstep */
} cll_stream;

/* What is put without a copy. */
typedef struct {
    const void *bytes;
    size_t count;
    int to;
} cll_block_put;

enum { CLL_MESSAGE_STREAM, CLL_PUT_STREAM, CLL_GET_STREAM, CLL_STREAMS };

typedef struct cll_machine {
    struct cll_machine *parent;
    uint64_t key;
    int first_processor; /* number of its processor 0 in the run */
    int processors;
    int processor;
    int virtual_count;   /* of its processors that one process executes; their numbers, like `first_processor`, are of all those then */
    int virtual_number;  /* of this one in its process; so far its key is from that of the first one */
    int capacity;        /* processors that the arrays have room for */
    uint64_t superstep;  /* counted from 1 */
    uint64_t barriers;   /* that have been passed */
    uint64_t partitions;
    uint32_t waits_for;  /* kind of token; CLL_DATA: none */
    int32_t tag_bytes;   /* that this processor has set in the superstep; -1: none */
    cll_stream streams[CLL_STREAMS];
    cll_block_put *blocks; /* of this superstep */
    size_t block_count;
    size_t block_capacity;
    cll_inbox inbox;
    cll_registrations registrations;
    struct cll_superstep_account *account; /* NULL: supersteps are not recorded */
} cll_machine;

/* A new innermost machine, which is in its first superstep; its parent is the one before. */
cll_machine *cll_machine_push(uint64_t key, int first_processor, int processors, int processor, const char *call);

/* Closes the innermost one, whose memory is used again. */
void cll_machine_pop(void);

/* NULL: none is open. */
cll_machine *cll_machine_innermost(void);

/* Another virtual processor goes on, with its own machines. */
void cll_machine_set_innermost(cll_machine *machine);
void cll_machine_check_innermost(const cll_machine *machine, const char *call);

/* The machine if it is open, NULL stands for the innermost one; fails if it is not open. */
cll_machine *cll_machine_check(const void *machine, const char *call);

int cll_machine_processors(const cll_machine *machine);
int cll_machine_processor(const cll_machine *machine);

CLL_NEVER_RETURNS void cll_machine_fail_processor(const cll_machine *machine, int processor, const char *call);

static inline void cll_machine_check_processor(const cll_machine *machine, int processor, const char *call)
{
    if (processor < 0 || processor >= machine->processors) {
        cll_machine_fail_processor(machine, processor, call);
    }
}

#endif
