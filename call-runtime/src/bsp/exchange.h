/* exchange.h: packets of a machine on their way out and in, and the tokens by which its processors wait for each other. */
#ifndef CLL_BSP_EXCHANGE_H
#define CLL_BSP_EXCHANGE_H

#include "machine_stack.h"

cll_packet *cll_machine_new_packet(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, size_t capacity_bytes);
void cll_machine_send_packet(const cll_machine *machine, int to, cll_packet *packet, cll_following following);
void cll_machine_send_streams(cll_machine *machine, cll_following following);
void cll_machine_queue_packet(cll_stream *stream, int to, cll_packet *packet);
cll_packet *cll_machine_add_packet(cll_machine *machine, cll_stream *stream, int to, size_t needed_bytes);

/* A packet that has come is checked, and answered or laid by. */
void cll_machine_admit(cll_packet *packet, const char *call);

/* Waits until something may have come: a packet, or the turn of this virtual processor after the others had theirs. */
void cll_machine_progress(const cll_machine *machine, const cll_wait *reason);

cll_packet *cll_machine_await(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, const char *call);

/* Asked for each direct get of another processor, which may have to be answered while this one waits; returns whether it was. */
extern int (*cll_exchange_take_direct_get)(cll_packet *packet);

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

/* Waits for all processors; a synchronisation also compares what they have to do alike. */
void cll_machine_pass_tokens(cll_machine *machine, uint32_t kind, const char *call);

/* Rounds of the tokens that a processor gets in a barrier: 0 ... this - 1. */
uint32_t cll_machine_rounds(const cll_machine *machine);

#endif
