/* inside.h: a machine as the files of this folder see it. */
#ifndef CLL_BSP_INSIDE_H
#define CLL_BSP_INSIDE_H

#include <stddef.h>
#include <stdint.h>

#include "areas.h"
#include "inbox.h"
#include "machine.h"
#include "supersteps.h"
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

struct cll_machine {
    cll_machine *parent;
    uint64_t key;
    int first_processor; /* number of its processor 0 in the run */
    int processors;
    int processor;
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
    cll_areas areas;
    cll_superstep_account *account; /* NULL: supersteps are not recorded */
};

cll_machine *cll_machine_innermost(void);
void cll_machine_check_innermost(const cll_machine *machine, const char *call);

static inline void cll_machine_check_processor(const cll_machine *machine, int processor, const char *call)
{
    if (processor < 0 || processor >= machine->processors) {
        cll_machine_fail_processor(machine, processor, call);
    }
}

/* packets.c */
cll_packet *cll_machine_new_packet(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, size_t capacity_bytes);
void cll_machine_send_packet(const cll_machine *machine, int to, cll_packet *packet, cll_following following);
void cll_machine_send_streams(cll_machine *machine, cll_following following);
void cll_machine_queue_packet(cll_stream *stream, int to, cll_packet *packet);
cll_packet *cll_machine_add_packet(cll_machine *machine, cll_stream *stream, int to, size_t needed_bytes);
void cll_machine_admit(cll_packet *packet, const char *call);
cll_packet *cll_machine_receive(const cll_machine *machine, const cll_wait *reason);
cll_packet *cll_machine_await(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, const char *call);

/* Room for one more entry of a packet to that processor. */
static inline void *cll_machine_room(cll_machine *machine, int stream_number, int to, size_t needed_bytes)
{
    cll_stream *stream = &machine->streams[stream_number];
    cll_packet *packet = stream->outgoing[to].last;
    if (packet == NULL || packet->capacity_bytes - packet->payload_bytes < needed_bytes) {
        packet = cll_machine_add_packet(machine, stream, to, needed_bytes);
    }
    void *room = cll_packet_payload(packet) + packet->payload_bytes;
    packet->payload_bytes += needed_bytes;
    packet->message_count++;
    return room;
}

/* tokens.c: waits for all processors; a synchronisation also compares what they have to do alike. Up to so many processors each
 * sends to every other one, beyond it takes rounds. */
#define CLL_EXCHANGING_PROCESSORS 8
void cll_machine_pass_tokens(cll_machine *machine, uint32_t kind, const char *call);

/* Rounds of the tokens that a processor gets in a barrier: 0 ... this - 1. */
uint32_t cll_machine_rounds(const cll_machine *machine);

/* A processor that waits in another call than this one. */
void cll_machine_check_token(const cll_machine *machine, const cll_packet *token, const char *call);

/* memory.c: the second half of a synchronisation, after all packets have come: gets are answered, then written, then puts. */
void cll_machine_access_memory(cll_machine *machine, const char *call);
void cll_machine_count_puts(cll_packet *packet, cll_traffic *traffic);

/* Answers the requests of other processors for data at once, those that can be answered in this superstep. */
void cll_machine_answer_direct_gets(cll_machine *machine);
int cll_machine_takes_direct_get(cll_packet *packet);

#endif
